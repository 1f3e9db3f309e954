package io.ddlrep.engine.operation;

import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens an operation: takes the publications' turn, resolves what an earlier coordinator left, checks health, opens and
 * starts the companions, commits the intent, brings the replicas close. Owned by the client's thread.
 */
final class OperationOpener {
    private static final String TURN_DEADLOCK = SqlResource.text("sql/turn_deadlock.sql");

    /** How often a wait for the turn is looked at as a part of a deadlock. */
    private static final Duration DEADLOCK_LOOK = Duration.ofMillis(200);

    private final Services services;
    private final NodeSession client;
    private final Credentials credentials;
    private final SecureRandom random;
    private final Map<String, NodeSession> companions;
    private final Map<String, String> backends = new ConcurrentHashMap<>();

    /**
     * Makes an opener.
     *
     * @param companions sessions of this client on the replicas, kept from operation to operation
     */
    OperationOpener(
            Services services,
            NodeSession client,
            Credentials credentials,
            SecureRandom random,
            Map<String, NodeSession> companions) {
        this.services = services;
        this.client = client;
        this.credentials = credentials;
        this.random = random;
        this.companions = companions;
    }

    /** What is known when an operation opens. */
    record Opening(
            List<Group.Publication> publications,
            ClientState state,
            OperationSettings settings,
            List<ReplicatedTable> touched,
            String statement) {}

    /** Opens an operation; on failure nothing is left behind but, at most, an intent marked as rolled back. */
    OperationContext open(Opening opening) {
        NodeSession service = services.borrow(client.node());
        try {
            List<String> names =
                    opening.publications().stream().map(Group.Publication::name).toList();
            takeTurn(service, names, opening);
            Group group = GroupReader.readInstalled(service).orElseThrow();
            recoverOrphans(service, names, group);
            services.learn(group);
            List<Group.Publication> publications = group.publications().stream()
                    .filter(p -> names.contains(p.name()))
                    .toList();
            refuseStaleSnapshot(service, opening.state(), names);
            OperationId op = OperationId.random(random);
            OperationContext context = new OperationContext(new OperationContext.Party(
                    op,
                    services,
                    group,
                    publications,
                    opening.settings(),
                    opening.state(),
                    new Link(client, opening.state().backend(), op.text(), services.tickets()),
                    service));
            start(context, opening);
            return context;
        } catch (RuntimeException e) {
            release(services, service);
            throw e;
        }
    }

    private void start(OperationContext context, Opening opening) {
        List<String> replicas = context.publications().stream()
                .flatMap(p -> p.replicas().stream())
                .map(Group.ReplicaState::node)
                .distinct()
                .toList();
        HealthStep.run(
                context,
                replicas,
                opening.touched().stream().map(ReplicatedTable::quoted).toList());
        openCompanions(context, replicas);
        try {
            // The companions begin while the intent is being flushed: nothing of theirs outlives this process.
            List<Runnable> tasks = new ArrayList<>();
            tasks.add(() -> Journal.intent(context.service(), context, opening.statement()));
            tasks.addAll(begin(context));
            services.fan().all(tasks);
            new DrainStep(context).presync();
        } catch (RuntimeException e) {
            new RollbackStep(context).run();
            try {
                if (e instanceof NodeException node
                        && node.isConnectionLost()
                        && !node.node().equals(client.node())) {
                    Journal.dirty(
                            context.service(),
                            context.publicationNames(),
                            node.node(),
                            "lost while operation " + context.op() + " began: "
                                    + node.error().message());
                }
                Journal.finish(context.service(), context, "rolled_back", String.valueOf(e.getMessage()));
            } catch (NodeException late) {
                e.addSuppressed(late); // the intent stays open: the next operation resolves it
            }
            throw e;
        }
    }

    /** One operation per publication at a time; a session lock of the service, gone with it. */
    private static void takeTurn(NodeSession service, List<String> publications, Opening opening) {
        long began = System.nanoTime();
        long deadline = began + opening.settings().lockWait().toNanos();
        long look = began + DEADLOCK_LOOK.toNanos();
        for (String publication : publications.stream().sorted().toList()) {
            while (!PublicationTurn.tryTake(service, publication)) {
                if (System.nanoTime() > deadline) {
                    throw Errors.of(
                            "55P03",
                            "another operation holds publication " + publication + "; nothing was changed",
                            holder(service, publication),
                            "Wait for it, or end its session; ddlrep.lock_wait sets how long to try.");
                }
                if (System.nanoTime() > look) {
                    refuseDeadlock(service, publication, opening.state());
                    look = System.nanoTime() + DEADLOCK_LOOK.toNanos();
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(5_000_000L, 25_000_000L));
            }
        }
    }

    /** The server does not see a wait for the turn: this transaction for it, and the one that has it for this one's locks. */
    private static void refuseDeadlock(NodeSession service, String publication, ClientState state) {
        for (Row row : service.query(TURN_DEADLOCK, publication, state.pid())) {
            throw Errors.of(
                    "40P01",
                    "deadlock: operation " + row.text("op") + " has the turn of publication " + publication
                            + " and waits for locks of this transaction; nothing was changed",
                    holder(service, publication),
                    "Roll back and run the transaction again; DDL before rows avoids it.");
        }
    }

    private static String holder(NodeSession service, String publication) {
        List<String> lines = new ArrayList<>();
        for (Row row : service.query(
                "SELECT op, actor, coordinator, client_pid, started::text AS started FROM ddlrep.ddl_operation"
                        + " WHERE state = 'open' AND $1 = ANY (publications) ORDER BY started",
                publication)) {
            lines.add("operation " + row.text("op") + " of " + row.text("actor") + " (pid " + row.text("client_pid")
                    + ", through " + row.text("coordinator") + ") since " + row.text("started"));
        }
        return lines.isEmpty() ? "it has not written its intent yet" : String.join("\n", lines);
    }

    private void recoverOrphans(NodeSession service, List<String> publications, Group group) {
        Recovery recovery = new Recovery(services, group.groupId(), client.node());
        for (Recovery.Report report : recovery.run(service, publications)) {
            if (!report.finished()) {
                throw Errors.notReady(
                        "operation " + report.op() + " is " + (report.committed() ? "committed" : "rolled back")
                                + " but not finished on every node",
                        String.join("\n", report.waiting()),
                        "Bring the node back and run: ddlrep recover");
            }
        }
    }

    /** A client whose snapshot is older than the last operation would plan by old catalogs. */
    private void refuseStaleSnapshot(NodeSession service, ClientState state, List<String> publications) {
        if (!state.fixedSnapshot()) {
            return;
        }
        List<Row> last = service.query(
                "SELECT d.op FROM ddlrep.decision d JOIN ddlrep.ddl_operation o ON o.op = d.op"
                        + " WHERE d.outcome = 'commit' AND o.publications && $1::text[] ORDER BY d.decided_at DESC LIMIT 1",
                publications);
        if (!last.isEmpty()
                && client.query(
                                "SELECT FROM ddlrep.decision d WHERE d.op OPERATOR(pg_catalog.=) $1",
                                last.get(0).text("op"))
                        .isEmpty()) {
            throw Errors.of(
                    "40001",
                    "the schema has changed since this transaction took its snapshot",
                    "Operation " + last.get(0).text("op") + " is not in it. Nothing was locked.",
                    "Roll back and run the transaction again.");
        }
    }

    private void openCompanions(OperationContext context, List<String> replicas) {
        Map<String, Companion> opened = new ConcurrentHashMap<>();
        List<Runnable> tasks = new ArrayList<>();
        for (String replica : replicas) {
            tasks.add(() -> opened.put(replica, companion(context, replica)));
        }
        services.fan().all(tasks);
        replicas.forEach(r -> context.companions().add(opened.get(r)));
    }

    private Companion companion(OperationContext context, String replica) {
        NodeSession session = companions.get(replica);
        String backend = backends.get(replica);
        if (session == null || backend == null || session.isClosed() || !services.answers(session)) {
            session = services.openCompanion(replica, credentials);
            backend = session.query("SELECT ddlrep.backend() AS backend").get(0).text("backend");
            companions.put(replica, session);
            backends.put(replica, backend);
        }
        return new Companion(
                replica,
                new Link(session, backend, context.op().text(), services.tickets()),
                context.op().gid(context.group().groupId(), replica));
    }

    /** Begins the companions' transactions, marked, and with the client's environment. */
    private static List<Runnable> begin(OperationContext context) {
        List<Runnable> tasks = new ArrayList<>();
        ClientState state = context.state();
        List<String> names = new ArrayList<>(state.settings().keySet());
        List<String> values = new ArrayList<>(state.settings().values());
        names.add("search_path");
        values.add(state.searchPath());
        names.add("lock_timeout");
        values.add(Long.toString(Math.max(1, context.lockBudget().toMillis())));
        names.add("idle_in_transaction_session_timeout");
        values.add("0");
        names.add("statement_timeout");
        values.add("0");
        names.add("jit");
        values.add("off");
        names.add("role");
        values.add(state.setRole());
        for (Companion companion : context.companions()) {
            tasks.add(() -> companion
                    .link()
                    .enter(
                            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ",
                            true,
                            "SELECT pg_catalog.set_config(s.n, s.v, true)"
                                    + " FROM unnest($5::pg_catalog.text[], $6::pg_catalog.text[]) WITH ORDINALITY AS s(n, v, i) ORDER BY s.i",
                            names,
                            values));
        }
        return tasks;
    }

    /** Lets go of the publications' turn and returns the service session. */
    static void release(Services services, NodeSession service) {
        try {
            service.execute("SELECT pg_catalog.pg_advisory_unlock_all()");
            services.giveBack(service);
        } catch (NodeException e) {
            service.close();
        }
    }
}
