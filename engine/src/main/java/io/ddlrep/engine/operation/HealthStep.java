package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.TransactionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
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

    /** How long a node waits at a time for a table whose definition somebody keeps from being read. */
    private static final Duration SLICE = Duration.ofMillis(300);

    private final OperationContext context;
    private final Cancels cancels;
    private final List<String> tables;
    private final AtomicLong waitedNanos = new AtomicLong();

    /**
     * Makes the step.
     *
     * @param cancels whether the client has given up
     * @param tables quoted names of the tables that the statement touches
     */
    HealthStep(OperationContext context, Cancels cancels, List<String> tables) {
        this.context = context;
        this.cancels = cancels;
        this.tables = tables;
    }

    /**
     * Checks all nodes in parallel.
     *
     * @param replicas the replicas that take part
     * @param meanwhile work in the client's session, which has nothing else to do
     */
    void run(List<String> replicas, Runnable meanwhile) {
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
        tasks.add(() -> said.put(origin, await(origin, named -> ask(context.service(), origin, named, ""))));
        for (String replica : replicas) {
            tasks.add(() -> said.put(replica, askReplica(replica)));
        }
        context.services().fan().all(tasks);
        context.spendLockBudget(waitedNanos.get());
        said.forEach((node, row) -> check(node, row, !node.equals(origin)));
        compare(said);
    }

    /**
     * To print a definition, the server locks the table. Where somebody holds it whole, a node is asked again and again, as
     * long as lock_wait lasts.
     *
     * @param question asks the node about the named tables
     * @throws io.ddlrep.engine.DdlrepException 55P03 with who that is, when lock_wait is over
     */
    private Row await(String node, Function<List<String>, Row> question) {
        long began = System.nanoTime();
        boolean first = true;
        while (true) {
            cancels.check(context.client().node());
            try {
                return question.apply(tables);
            } catch (NodeException e) {
                if (!e.sqlState().equals("55P03")) {
                    throw e;
                }
                if (first) {
                    first = false;
                    // What holds the table may be a transaction that an earlier operation left prepared.
                    check(
                            node,
                            question.apply(List.of()),
                            !node.equals(context.client().node()));
                }
                long waited = System.nanoTime() - began;
                waitedNanos.accumulateAndGet(waited, Math::max);
                if (waited > context.lockBudget().toNanos()) {
                    throw held(node, e);
                }
            }
        }
    }

    private RuntimeException held(String node, NodeException e) {
        List<String> blockers = Blockers.of(context, node, tables);
        return Errors.of(
                "55P03",
                "could not read the definition of " + String.join(", ", tables) + " on node " + node + " within "
                        + context.settings().lockWait().toMillis() + " ms; nothing was changed",
                blockers.isEmpty() ? "Node " + node + ": " + e.error().message() : String.join("\n", blockers),
                "Wait for the sessions above, or end them; ddlrep.lock_wait sets how long to try.");
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

    private Row askReplica(String replica) {
        long began = System.nanoTime();
        try {
            return askOnce(replica);
        } catch (NodeException first) {
            if (!first.isConnectionLost()) {
                throw first;
            }
            if (System.nanoTime() - began > AT_ONCE.toNanos()) {
                throw unreachable(replica, first);
            }
            // The session may have been left over from before a restart of the server: a new one tells.
            try {
                return askOnce(replica);
            } catch (NodeException second) {
                throw second.isConnectionLost() ? unreachable(replica, second) : second;
            }
        }
    }

    private Row askOnce(String replica) {
        NodeSession session = context.services().borrow(replica);
        String login = context.state().login();
        try {
            Row row = await(replica, named -> context.services().probe(session, s -> ask(s, replica, named, login)));
            context.services().giveBack(session);
            return row;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private RuntimeException unreachable(String replica, NodeException e) {
        return Errors.notReady(
                "node " + replica + " cannot be reached, so nothing was changed",
                context.services().address(replica) + ": " + e.error().message(),
                "Bring the node back, or drop it from the group; then send the statement again.");
    }

    /** The login role is given where its transaction is going to be prepared. */
    private Row ask(NodeSession session, String node, List<String> tables, String login) {
        boolean ownLocks = node.equals(context.client().node())
                && context.client().session().transactionStatus() == TransactionStatus.IN_TRANSACTION;
        try {
            return session.query(
                            SQL,
                            context.group().groupId(),
                            node,
                            tables,
                            login,
                            Long.toString(SLICE.toMillis()),
                            ownLocks ? context.state().pid() : 0L)
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

    private void check(String node, Row row, boolean replica) {
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

    private void compare(Map<String, Row> said) {
        Map<String, @Nullable String> fingerprints = new TreeMap<>();
        said.forEach((node, row) -> fingerprints.put(node, row.flag("held") ? asClient() : row.get("fingerprints")));
        if (fingerprints.values().stream().distinct().count() > 1) {
            throw VerifyStep.difference(context, fingerprints, "before the statement; nothing was changed");
        }
        said.forEach((node, row) -> {
            context.preparer(node, row.get("preparer"));
            context.server(node, row.text("server"));
        });
    }

    /** The client itself holds tables whole, as after TRUNCATE: only its own session can read their definitions. */
    private @Nullable String asClient() {
        return context.client()
                .session()
                .query(VerifyStep.HASHES, tables)
                .get(0)
                .get("fingerprints");
    }
}
