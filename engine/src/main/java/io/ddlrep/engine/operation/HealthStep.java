package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Step {@code health}: every node is reachable, is the one that it should be, and has equal tables.
 *
 * <p>Crash before, during or after: nothing was touched; there is nothing to recover.
 */
final class HealthStep {
    private static final String SQL = SqlResource.text("sql/health.sql");

    /** A refused connection is refused at once; one that only timed out is not tried twice. */
    private static final Duration AT_ONCE = Duration.ofMillis(500);

    private HealthStep() {}

    /**
     * Checks all nodes in parallel.
     *
     * @param replicas the replicas that take part
     * @param tables quoted names of the tables that the statement touches
     * @param meanwhile work in the client's session, which has nothing else to do
     */
    static void run(OperationContext context, List<String> replicas, List<String> tables, Runnable meanwhile) {
        for (Group.Publication publication : context.publications()) {
            for (Group.ReplicaState replica : publication.replicas()) {
                if (replica.state() != Group.State.ACTIVE) {
                    throw inactive(publication, replica);
                }
            }
        }
        Map<String, Row> said = new ConcurrentHashMap<>();
        List<Runnable> tasks = new ArrayList<>();
        String origin = context.client().node();
        tasks.add(meanwhile);
        tasks.add(() -> said.put(origin, ask(context, context.service(), origin, tables, "")));
        for (String replica : replicas) {
            tasks.add(() -> said.put(replica, askReplica(context, replica, tables)));
        }
        context.services().fan().all(tasks);
        said.forEach((node, row) -> check(context, node, row, !node.equals(origin)));
        compare(context, said);
    }

    private static RuntimeException inactive(Group.Publication publication, Group.ReplicaState replica) {
        boolean dirty = replica.state() == Group.State.DIRTY;
        return Errors.notReady(
                "node " + replica.node() + " is " + (dirty ? "dirty" : "paused") + " for publication "
                        + publication.name(),
                "Reason: " + (replica.reason().isEmpty() ? "none was given" : replica.reason())
                        + ". Nothing was changed.",
                dirty ? "Mend the node, then run: ddlrep recover" : "Run: ddlrep resume");
    }

    private static Row askReplica(OperationContext context, String replica, List<String> tables) {
        long began = System.nanoTime();
        try {
            return askOnce(context, replica, tables);
        } catch (NodeException first) {
            if (!first.isConnectionLost()) {
                throw first;
            }
            if (System.nanoTime() - began > AT_ONCE.toNanos()) {
                throw unreachable(context, replica, first);
            }
            // The session may have been left over from before a restart of the server: a new one tells.
            try {
                return askOnce(context, replica, tables);
            } catch (NodeException second) {
                throw second.isConnectionLost() ? unreachable(context, replica, second) : second;
            }
        }
    }

    private static Row askOnce(OperationContext context, String replica, List<String> tables) {
        NodeSession session = context.services().borrow(replica);
        try {
            Row row = context.services()
                    .probe(
                            session,
                            s -> ask(
                                    context, s, replica, tables, context.state().login()));
            context.services().giveBack(session);
            return row;
        } catch (NodeException e) {
            session.close();
            throw e;
        }
    }

    private static RuntimeException unreachable(OperationContext context, String replica, NodeException e) {
        return Errors.notReady(
                "node " + replica + " cannot be reached, so nothing was changed",
                context.services().address(replica) + ": " + e.error().message(),
                "Bring the node back, or drop it from the group; then send the statement again.");
    }

    /** The login role is given where its transaction is going to be prepared. */
    private static Row ask(
            OperationContext context, NodeSession session, String node, List<String> tables, String login) {
        try {
            return session.query(SQL, context.group().groupId(), node, tables, login)
                    .get(0);
        } catch (NodeException e) {
            if (!e.sqlState().equals("42501")) {
                throw e;
            }
            throw Errors.of(
                    e.sqlState(),
                    "the service role lacks rights on node " + node + ", so nothing was changed",
                    e.error().message(),
                    "Run as a superuser: ddlrep doctor --fix");
        }
    }

    private static void check(OperationContext context, String node, Row row, boolean replica) {
        String detail = context.services().address(node).toString();
        if (!row.text("group_id").equals(context.group().groupId())
                || !row.text("node").equals(node)) {
            throw Errors.notReady(
                    "the database at node " + node + "'s address is not node " + node,
                    detail + " says that it is node " + row.text("node") + " of group " + row.text("group_id"),
                    "Correct the node's address in ddlrep.node, or in the URL.");
        }
        if (!row.flag("same_system") || !row.flag("same_database")) {
            throw Errors.notReady(
                    "node " + node + " is a copy: its identity is not the one that was registered",
                    detail + " was cloned or restored after it joined the group",
                    "Take the node out of the group and add it again.");
        }
        if (row.flag("in_recovery")) {
            throw Errors.notReady(
                    "node " + node + " is a standby", detail, "Point the node's address at its primary server.");
        }
        if (replica && row.get("unresolved") != null) {
            throw Errors.notReady(
                    "node " + node + " holds a prepared transaction of an earlier operation",
                    row.text("unresolved"),
                    "Run: ddlrep recover");
        }
        long limit = row.number("prepared_limit");
        if (replica && limit > 0 && row.number("prepared_used") >= limit) {
            throw Errors.notReady(
                    "node " + node + " has no free slot for a prepared transaction",
                    "max_prepared_transactions is " + limit + ", and all are in use",
                    "Finish the prepared transactions in pg_prepared_xacts, or raise the setting.");
        }
    }

    private static void compare(OperationContext context, Map<String, Row> said) {
        Map<String, @Nullable String> fingerprints = new TreeMap<>();
        said.forEach((node, row) -> fingerprints.put(node, row.get("fingerprints")));
        if (fingerprints.values().stream().distinct().count() > 1) {
            throw VerifyStep.difference(context, fingerprints, "before the statement; nothing was changed");
        }
        said.forEach((node, row) -> {
            context.preparer(node, row.get("preparer"));
            context.server(node, row.text("server"));
        });
    }
}
