package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Brings operations without a result to all or none, by the decision row alone: never by clocks, advisory locks or the
 * status of a transaction id. Used by one thread at a time; several may run at once, also in different processes, since
 * every action is idempotent.
 *
 * <p>Crash before, during or after: run it again.
 */
final class Recovery {
    private final Services services;
    private final String group;
    private final String origin;

    Recovery(Services services, String group, String origin) {
        this.services = services;
        this.group = group;
        this.origin = origin;
    }

    /**
     * What became of an operation.
     *
     * @param op the operation
     * @param committed the outcome
     * @param waiting nodes that could not be finished now, with the reason
     */
    record Report(OperationId op, boolean committed, List<String> waiting) {
        boolean finished() {
            return waiting.isEmpty();
        }
    }

    /** Resolves all operations of these publications that have no result. The caller holds their lock. */
    List<Report> run(NodeSession service, List<String> publications) {
        List<Report> reports = new ArrayList<>();
        for (Row row : Journal.open(service, publications)) {
            reports.add(resolve(
                    service,
                    new OperationId(row.text("op")),
                    Arrays.asList(row.text("nodes").split("\u0001", -1)),
                    publications,
                    row.flag("outside")));
        }
        return reports;
    }

    /**
     * Finishes prepared transactions of operations that have a result already: a PREPARE that hung while recovery looked for
     * it, and landed later. What still has no result is somebody's who works at it.
     *
     * @param nodes replicas to look at
     */
    List<Report> latecomers(NodeSession service, Collection<String> nodes, List<String> publications) {
        List<Report> reports = new ArrayList<>();
        for (String node : nodes) {
            for (OperationId op : prepared(node)) {
                boolean ended = !service.query(
                                "SELECT FROM ddlrep.ddl_operation WHERE op = $1 AND state IN ('committed', 'rolled_back')",
                                op.text())
                        .isEmpty();
                if (ended) {
                    reports.add(resolve(service, op, List.of(node), publications, false));
                }
            }
        }
        return reports;
    }

    /** Operations that a replica has prepared; none where it does not answer, which is somebody else's to say. */
    private List<OperationId> prepared(String node) {
        try {
            NodeSession replica = services.borrow(node);
            try {
                return replica
                        .query("SELECT gid FROM pg_catalog.pg_prepared_xacts WHERE database = current_database()")
                        .stream()
                        .flatMap(row -> OperationId.Gid.parse(row.text("gid")).stream())
                        .filter(gid -> gid.group().equals(group) && gid.node().equals(node))
                        .map(OperationId.Gid::op)
                        .toList();
            } finally {
                services.giveBack(replica);
            }
        } catch (NodeException e) {
            return List.of();
        }
    }

    /**
     * Fences the operation and reads its outcome. The INSERT waits while a deciding client lives; then either it has
     * fenced that client, or the row that is read in a new statement says {@code commit}.
     */
    static boolean committed(NodeSession service, OperationId op) {
        service.execute("BEGIN; SET LOCAL synchronous_commit = 'on'");
        service.update(
                "INSERT INTO ddlrep.decision (op, outcome, xid, last_carried_seq)"
                        + " VALUES ($1, 'abort', pg_catalog.pg_current_xact_id(), 0) ON CONFLICT DO NOTHING",
                op.text());
        service.execute("COMMIT");
        return service.query("SELECT outcome FROM ddlrep.decision WHERE op = $1", op.text())
                .get(0)
                .text("outcome")
                .equals("commit");
    }

    /** Resolves one operation on all its nodes. */
    private Report resolve(
            NodeSession service, OperationId op, List<String> nodes, List<String> publications, boolean outside) {
        boolean committed = committed(service, op);
        List<String> waiting = new ArrayList<>();
        for (String node : nodes) {
            try {
                String problem = outside ? finishOutside(op, node, committed) : finish(service, op, node, committed);
                if (!problem.isEmpty()) {
                    waiting.add(node + ": " + problem);
                    Journal.dirty(service, publications, node, "operation " + op + ": " + problem);
                }
            } catch (NodeException e) {
                waiting.add(node + ": " + e.error().message());
            }
        }
        service.update(
                "UPDATE ddlrep.ddl_operation SET state = $2, result = $3, finished = pg_catalog.clock_timestamp()"
                        + " WHERE op = $1",
                op.text(),
                waiting.isEmpty() ? (committed ? "committed" : "rolled_back") : "unresolved",
                waiting.isEmpty() ? "finished by recovery" : String.join("; ", waiting));
        return new Report(op, committed, List.copyOf(waiting));
    }

    /** What ran outside a transaction block is there already, or is taken back. */
    private String finishOutside(OperationId op, String node, boolean committed) {
        NodeSession session = services.borrow(node);
        try {
            if (committed) {
                session.query(OutsideStep.END, op.text());
            } else {
                OutsideStep.undo(session, op, true);
            }
            return "";
        } finally {
            services.giveBack(session);
        }
    }

    private String finish(NodeSession service, OperationId op, String node, boolean committed) {
        NodeSession replica = services.borrow(node);
        try {
            endCompanion(service, replica, op, node);
            OperationId.Gid gid = op.gid(group, node);
            List<Row> prepared =
                    replica.query("SELECT owner FROM pg_catalog.pg_prepared_xacts WHERE gid = $1", gid.toString());
            if (!prepared.isEmpty()) {
                finishPrepared(replica, gid, prepared.get(0).text("owner"), committed);
                return "";
            }
            boolean applied = !replica.query("SELECT FROM ddlrep.applied_operation WHERE op = $1", op.text())
                    .isEmpty();
            if (applied && !committed) {
                return "it is applied there, but the origin " + origin
                        + " has no decision for it: the origin lost history";
            }
            return committed && !applied ? "it is committed, but this node does not have it" : "";
        } finally {
            services.giveBack(replica);
        }
    }

    /** A slow PREPARE could still land: the companion's backend is ended, and waited for, before anything is looked at. */
    private static void endCompanion(NodeSession service, NodeSession replica, OperationId op, String node) {
        for (Row row : service.query(
                "SELECT pid, backend_start::text AS start FROM ddlrep.ddl_step"
                        + " WHERE op = $1 AND node = $2 AND step = 'companion' AND pid IS NOT NULL",
                op.text(),
                node)) {
            replica.query(
                    "SELECT ddlrep.end_companion($1::int, $2::timestamptz)", row.number("pid"), row.text("start"));
        }
    }

    /** COMMIT PREPARED needs the preparing role; no code of users runs in it. */
    private static void finishPrepared(NodeSession replica, OperationId.Gid gid, String owner, boolean committed) {
        try {
            replica.query("SELECT pg_catalog.set_config('role', $1, false)", owner);
        } catch (NodeException e) {
            // Prepared by an older ddlrep, or the role was taken from the service since.
            throw new NodeException(
                    replica.node(),
                    ServerError.of(
                            e.sqlState(),
                            "transaction " + gid + " was prepared by role " + owner
                                    + ", which the service role cannot become: run ddlrep recover as a superuser ("
                                    + e.error().message() + ")"),
                    e);
        }
        try {
            replica.execute((committed ? "COMMIT PREPARED " : "ROLLBACK PREPARED ") + gid.literal());
        } finally {
            replica.execute("RESET role");
        }
    }
}
