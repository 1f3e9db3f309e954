package io.ddlrep.engine.operation;

import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.parser.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A statement that PostgreSQL refuses in a transaction block: it runs on all nodes at the same time, each commits it by
 * itself, and the decision row says whether it stays or is taken back. Each node notes before what it has.
 *
 * <p>Crash before the decision: recovery ends what is still at work and drops what was made, on every node. Crash after:
 * every node has it, and recovery forgets how it could be taken back. Owned by the client's thread; {@link #cancel} may be
 * called by any.
 */
final class OutsideStep {
    private static final String CANCELLED = "57014";
    static final String END = "SELECT ddlrep.end_outside($1)";

    private static final String UNDO = "SELECT ddlrep.undo_outside($1, $2::bool) AS undone";
    private static final String DECIDE = "INSERT INTO ddlrep.decision (op, outcome, xid, last_carried_seq)"
            // No transaction id: the statement stands in no order with changes of rows.
            + " VALUES ($1, 'commit', '0', 0) ON CONFLICT DO NOTHING";

    /** The session's settings for a statement that may run for hours; set until the session ends. */
    private static final String SETTINGS = "SELECT pg_catalog.set_config(s.n, s.v, false)"
            + " FROM unnest($7::pg_catalog.text[], $8::pg_catalog.text[]) WITH ORDINALITY AS s(n, v, i) ORDER BY s.i";

    private static final String MAINTENANCE_SETTINGS =
            "RESET ROLE; " + SETTINGS.replace("$7", "$1").replace("$8", "$2");

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration UNDO_LIMIT = Duration.ofSeconds(30);

    private final OperationContext context;
    /** Sessions that run the statement at this moment. */
    private final Map<String, NodeSession> running = new ConcurrentHashMap<>();

    OutsideStep(OperationContext context) {
        this.context = context;
    }

    /**
     * Runs the statement.
     *
     * @param table quoted name of the table whose indexes it changes
     * @param call runs it in the client's session
     * @throws RuntimeException the first failure; nothing is taken back yet
     */
    void run(Statement.Ddl ddl, String table, OriginCall call) {
        context.addStatement(ddl);
        enter(table, OutsideOperation.rebuilds(ddl));
        try {
            everywhere(ddl.text(), call);
        } finally {
            leave();
        }
        VerifyStep.compare(context, VerifyStep.ask(context, List.of(table)));
    }

    /**
     * Runs a statement that changes nothing which the nodes have in common.
     *
     * @param call runs it in the client's session
     * @throws RuntimeException the first failure; the other nodes were told to stop then
     */
    void maintain(Statement.Ddl ddl, OriginCall call) {
        context.addStatement(ddl);
        Settings settings = settings();
        List<Runnable> tasks = new ArrayList<>();
        for (Companion companion : context.companions()) {
            tasks.add(() -> companion.session().query(MAINTENANCE_SETTINGS, settings.names(), settings.values()));
        }
        context.services().fan().all(tasks);
        everywhere(ddl.text(), call);
    }

    private void enter(String table, boolean rebuilds) {
        Settings settings = settings();
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(() -> context.client().enterOutside(false, rebuilds, table, ""));
        for (Companion companion : context.companions()) {
            tasks.add(() -> companion
                    .link()
                    .enterOutside(true, rebuilds, table, SETTINGS, settings.names(), settings.values()));
        }
        context.services().fan().all(tasks);
    }

    /** For a session of a replica. */
    private record Settings(List<String> names, List<String> values) {}

    private Settings settings() {
        List<String> names = new ArrayList<>(List.of("lock_timeout", "idle_session_timeout", "statement_timeout"));
        List<String> values = new ArrayList<>(List.of("0", "0", "0"));
        context.told().forEach((name, value) -> {
            names.add(name);
            values.add(value);
        });
        return new Settings(names, values);
    }

    private void everywhere(String text, OriginCall call) {
        Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(() -> attempt(context.client().session(), call::run, failures));
        for (Companion companion : context.companions()) {
            NodeSession session = companion.session();
            tasks.add(() -> attempt(session, () -> session.execute(text), failures));
        }
        context.services().fan().all(tasks);
        if (!failures.isEmpty()) {
            throw told(failures);
        }
    }

    /** The first failure; but the client knows its own node best, unless that was only stopped because of another. */
    private RuntimeException told(Queue<RuntimeException> failures) {
        String origin = context.client().node();
        return failures.stream()
                .filter(e -> e instanceof NodeException node
                        && node.node().equals(origin)
                        && !node.sqlState().equals(CANCELLED))
                .findFirst()
                .orElseGet(failures::element);
    }

    /** What fails on one node is in vain on the others, and may take hours there. */
    private void attempt(NodeSession session, Runnable work, Queue<RuntimeException> failures) {
        running.put(session.node(), session);
        try {
            work.run();
        } catch (RuntimeException e) {
            failures.add(e);
        } finally {
            running.remove(session.node());
        }
        // What all nodes refuse, each of them says soon.
        while (!failures.isEmpty() && !running.isEmpty()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            cancel();
        }
    }

    /** Asks every node that is at work to stop; once. */
    void cancel() {
        running.values().forEach(NodeSession::cancel);
    }

    /** The client's session goes on with other work; a cancel may still be on its way to it. */
    private void leave() {
        NodeSession client = context.client().session();
        for (int left = 2; left > 0 && !client.isClosed(); left--) {
            try {
                client.query("SELECT pg_catalog.set_config('ddlrep.outside', '', false)");
                return;
            } catch (NodeException e) {
                if (!e.sqlState().equals(CANCELLED)) {
                    return; // lost, and the setting with it
                }
            }
        }
    }

    /**
     * Decides that the statement stays.
     *
     * @throws io.ddlrep.engine.DdlrepException 55000 where recovery has fenced the operation meanwhile
     */
    void decide() {
        NodeSession service = context.service();
        service.execute("BEGIN; SET LOCAL synchronous_commit = 'on'");
        service.update(DECIDE, context.op().text());
        service.execute("COMMIT");
        if (!Recovery.committed(service, context.op())) {
            throw Errors.notReady(
                    "operation " + context.op() + " was given up by recovery while it ran",
                    "It is taken back on every node.",
                    "Send the statement again.");
        }
    }

    /**
     * Forgets on every node how it could be taken back.
     *
     * @return nodes where that was not possible now, with the reason; recovery will try again
     */
    List<String> end() {
        return onEveryNode(session -> session.query(END, context.op().text()));
    }

    /**
     * Takes back what was done on every node.
     *
     * @return nodes where that was not possible now, with the reason; recovery will try again
     */
    List<String> undo() {
        return onEveryNode(session -> undo(session, context.op(), false));
    }

    private List<String> onEveryNode(Consumer<NodeSession> work) {
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        List<Runnable> tasks = new ArrayList<>();
        List<String> nodes = new ArrayList<>(List.of(context.client().node()));
        context.companions().forEach(c -> nodes.add(c.node()));
        for (String node : nodes) {
            tasks.add(() -> {
                try {
                    NodeSession session = context.services().borrow(node);
                    try {
                        work.accept(session);
                    } finally {
                        context.services().giveBack(session);
                    }
                } catch (NodeException e) {
                    failed.add(node + ": " + e.error().message());
                }
            });
        }
        context.services().fan().all(tasks);
        return List.copyOf(failed);
    }

    /** Drops what the operation has made on a node; others wait for its lock for a moment only, again and again. */
    static void undo(NodeSession service, OperationId op, boolean recovery) {
        long deadline = System.nanoTime() + UNDO_LIMIT.toNanos();
        service.execute("SET lock_timeout = '100ms'");
        try {
            @Nullable NodeException missed;
            do {
                missed = tryUndo(service, op, recovery);
            } while (missed != null && System.nanoTime() < deadline);
            if (missed != null) {
                throw missed;
            }
        } finally {
            if (!service.isClosed()) {
                service.execute("SET lock_timeout = 0");
            }
        }
    }

    private static @Nullable NodeException tryUndo(NodeSession service, OperationId op, boolean recovery) {
        try {
            service.query(UNDO, op.text(), recovery);
            return null;
        } catch (NodeException e) {
            if (!e.sqlState().equals("55P03")) {
                throw e;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            return e;
        }
    }
}
