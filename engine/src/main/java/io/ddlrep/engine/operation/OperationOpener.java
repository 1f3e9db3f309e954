package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.Secrets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Opens an operation: takes the publications' turn, resolves what an earlier coordinator left, checks health, opens and
 * starts the companions, commits the intent, brings the replicas close. Owned by the client's thread.
 */
final class OperationOpener {
    private static final String TURN_DEADLOCK = SqlResource.text("sql/turn_deadlock.sql");

    /** How often a wait for the turn is looked at as a part of a deadlock. */
    private static final Duration DEADLOCK_LOOK = Duration.ofMillis(200);

    private final Services services;
    private final Cancels cancels;
    private final NodeSession client;
    private final CompanionConnector connector;
    private final SecureRandom random;
    private final Map<String, NodeSession> companions;
    private final Map<String, String> backends = new ConcurrentHashMap<>();
    private final Map<String, Long> usedNanos = new ConcurrentHashMap<>();

    /**
     * Makes an opener.
     *
     * @param cancels whether the client has given up
     * @param companions sessions of this client on the replicas, kept from operation to operation
     */
    OperationOpener(
            Services services,
            NodeSession client,
            CompanionConnector connector,
            SecureRandom random,
            Cancels cancels,
            Map<String, NodeSession> companions) {
        this.services = services;
        this.cancels = cancels;
        this.client = client;
        this.connector = connector;
        this.random = random;
        this.companions = companions;
    }

    /** What is known when an operation opens. */
    record Opening(List<Group.Publication> publications, StatementPlanner.Plan plan) {
        ClientState state() {
            return plan.planned().state();
        }

        /** The statement's text for the journal, which many may read. */
        String statement() {
            return Secrets.masked(plan.planned().ddl());
        }

        List<String> names() {
            return publications.stream().map(Group.Publication::name).sorted().toList();
        }
    }

    /** An operation that has begun, and what was seen when its turn came. */
    record Opened(OperationContext context, Turn turn) {}

    /** Opens an operation; on failure nothing is left behind but, at most, an intent marked as rolled back. */
    Opened open(Opening opening) {
        return open(opening, this::start);
    }

    /** Opens an operation whose statement runs outside a transaction block: the companions begin none. */
    Opened openOutside(Opening opening) {
        return open(opening, this::startOutside);
    }

    private Opened open(Opening opening, BiConsumer<OperationContext, Opening> start) {
        NodeSession service = services.borrow(client.node());
        try {
            List<String> names = opening.names();
            Turn turn = takeTurn(service, opening);
            if (!turn.unresolved().isEmpty()) {
                recoverOrphans(service, names, turn.group());
                turn = look(service, opening);
            }
            Group group = turn.group();
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
                    opening.plan().settings(),
                    opening.state(),
                    new Link(client, opening.state().backend(), op.text(), services.tickets()),
                    service));
            start.accept(context, opening);
            return new Opened(context, turn);
        } catch (RuntimeException e) {
            release(services, service);
            throw e;
        }
    }

    /**
     * Checks health and opens the companions' sessions.
     *
     * @return the client's settings
     */
    private Map<String, String> meet(OperationContext context, Opening opening) {
        List<String> replicas = context.publications().stream()
                .flatMap(p -> p.replicas().stream())
                .map(Group.ReplicaState::node)
                .distinct()
                .toList();
        Map<String, String> settings = new LinkedHashMap<>();
        List<String> tables = opening.plan().planned().touched().stream()
                .map(ReplicatedTable::quoted)
                .toList();
        new HealthStep(context, cancels, tables).run(replicas, () -> settings.putAll(ClientState.settings(client)));
        openCompanions(context, replicas);
        return settings;
    }

    private void startOutside(OperationContext context, Opening opening) {
        context.told(Environment.of(context.state(), meet(context, opening)));
        Journal.intent(context.service(), context, opening.statement(), true);
    }

    /** Ends the companions' sessions: a statement outside a transaction block leaves its settings in them. */
    void closeCompanions() {
        companions.values().forEach(NodeSession::close);
        companions.clear();
    }

    private void start(OperationContext context, Opening opening) {
        Map<String, String> settings = meet(context, opening);
        try {
            // The companions begin, and replicas say where they are, while the intent is being flushed: nothing of it
            // outlives
            // this process.
            DrainStep drain = new DrainStep(context);
            List<Runnable> tasks = new ArrayList<>();
            tasks.add(() -> Journal.intent(context.service(), context, opening.statement(), false));
            Queue<Companion> reopened = new ConcurrentLinkedQueue<>();
            tasks.addAll(begin(context, settings, reopened));
            tasks.add(drain::look);
            services.fan().all(tasks);
            reopened.forEach(c -> Journal.companion(context.service(), context.op(), c));
            drain.presync();
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

    private Turn look(NodeSession service, Opening opening) {
        return Turn.take(
                service,
                opening.names(),
                opening.state().snapshot(),
                opening.state().pid(),
                opening.plan().planned().resolution().tableRelids());
    }

    /** One operation per publication at a time; a session lock of the service, gone with it. */
    private Turn takeTurn(NodeSession service, Opening opening) {
        List<String> names = opening.names();
        long deadline = System.nanoTime() + opening.plan().settings().lockWait().toNanos();
        for (String publication : names.subList(0, names.size() - 1)) {
            waitForTurn(service, publication, opening.state(), deadline);
        }
        Turn turn = look(service, opening);
        if (turn.mine()) {
            return turn;
        }
        waitForTurn(service, names.get(names.size() - 1), opening.state(), deadline);
        return look(service, opening);
    }

    private void waitForTurn(NodeSession service, String publication, ClientState state, long deadline) {
        long look = System.nanoTime() + DEADLOCK_LOOK.toNanos();
        while (!PublicationTurn.tryTake(service, publication)) {
            cancels.check(client.node());
            if (System.nanoTime() > deadline) {
                throw Errors.of(
                        "55P03",
                        "another operation holds publication " + publication + "; nothing was changed",
                        holder(service, publication),
                        "Wait for it, or end its session; ddlrep.lock_wait sets how long to try.");
            }
            if (System.nanoTime() > look) {
                refuseDeadlock(service, publication, state);
                look = System.nanoTime() + DEADLOCK_LOOK.toNanos();
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(5_000_000L, 25_000_000L));
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
        if (session == null || backend == null || !usable(replica, session)) {
            return openCompanion(context, replica);
        }
        usedNanos.put(replica, System.nanoTime());
        return companion(context, replica, session, backend);
    }

    /** A session that was used a moment ago is not asked whether it answers: {@link #begin} opens another where it does not. */
    private boolean usable(String replica, NodeSession session) {
        return !session.isClosed()
                && (System.nanoTime() - usedNanos.getOrDefault(replica, 0L) < Services.FRESH.toNanos()
                        || services.answers(session));
    }

    private Companion openCompanion(OperationContext context, String replica) {
        NodeSession session = services.openCompanion(replica, connector);
        String backend =
                session.query("SELECT ddlrep.backend() AS backend").get(0).text("backend");
        companions.put(replica, session);
        backends.put(replica, backend);
        usedNanos.put(replica, System.nanoTime());
        return companion(context, replica, session, backend);
    }

    private Companion companion(OperationContext context, String replica, NodeSession session, String backend) {
        return new Companion(
                replica,
                new Link(session, backend, context.op().text(), services.tickets()),
                context.op().gid(context.group().groupId(), replica));
    }

    /**
     * Begins the companions' transactions, marked, and with the client's environment.
     *
     * @param reopened collects companions whose session had to be opened again
     */
    private List<Runnable> begin(OperationContext context, Map<String, String> settings, Queue<Companion> reopened) {
        ClientState state = context.state();
        Map<String, String> environment = Environment.of(state, settings);
        context.told(environment);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("lock_timeout", Long.toString(Math.max(1, context.lockBudget().toMillis())));
        all.put("idle_in_transaction_session_timeout", "0");
        all.put("statement_timeout", "0");
        all.put("jit", "off");
        all.putAll(environment);
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < context.companions().size(); i++) {
            int at = i;
            tasks.add(() -> {
                Companion companion = context.companions().get(at);
                try {
                    enter(companion, all);
                } catch (NodeException e) {
                    if (!e.isConnectionLost()) {
                        throw e;
                    }
                    // Kept from an earlier operation, before a restart of the server: nothing was done in it yet.
                    Companion another = openCompanion(context, companion.node());
                    context.companions().set(at, another);
                    reopened.add(another);
                    enter(another, all);
                }
            });
        }
        return tasks;
    }

    private static void enter(Companion companion, Map<String, String> settings) {
        companion
                .link()
                .enter(
                        "RESET ROLE; BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ",
                        true,
                        "SELECT pg_catalog.set_config(s.n, s.v, true)"
                                + " FROM unnest($5::pg_catalog.text[], $6::pg_catalog.text[]) WITH ORDINALITY AS s(n, v, i) ORDER BY s.i",
                        new ArrayList<>(settings.keySet()),
                        new ArrayList<>(settings.values()));
    }

    /** Lets go of the publications' turn, where {@link Journal#finish} has not, and returns the service session. */
    static void release(Services services, NodeSession service) {
        try {
            service.execute("SELECT pg_catalog.pg_advisory_unlock_all()");
            services.giveBack(service);
        } catch (NodeException e) {
            service.close();
        }
    }
}
