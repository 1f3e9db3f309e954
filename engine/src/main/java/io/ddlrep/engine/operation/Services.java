package io.ddlrep.engine.operation;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.Fan;
import io.ddlrep.engine.node.GonePeer;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.substrate.Substrate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What operations of one group share in this process: idle service sessions by node, the substrate, the tickets.
 * Thread-safe.
 */
final class Services implements AutoCloseable {
    /** DESIGN: a node that is down is refused in under five seconds. */
    private static final Duration PROBE = Duration.ofSeconds(4);

    /** How long an idle session is trusted without asking. */
    static final Duration FRESH = Duration.ofSeconds(1);

    /** How long a session that waited may take to answer; with a new connection behind it still under five seconds. */
    private static final Duration ANSWER = Duration.ofMillis(1200);

    private final EngineConfig config;
    private final Credentials credentials;
    private final Map<String, NodeAddress> addresses;
    private final Tickets tickets;
    private final Substrate substrate;
    private final Fan fan;
    private final ScheduledExecutorService timer;
    private final Map<String, Deque<Idle>> idle = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** What the parts of an engine share; the engine ends the threads. */
    record Tools(Tickets tickets, Substrate substrate, Fan fan, ScheduledExecutorService timer) {}

    Services(EngineConfig config, Credentials credentials, Group group, Tools tools) {
        this.config = config;
        this.credentials = credentials;
        this.addresses = new ConcurrentHashMap<>(group.nodes());
        this.addresses.putAll(config.addresses());
        this.tickets = tools.tickets();
        this.substrate = tools.substrate();
        this.fan = tools.fan();
        this.timer = tools.timer();
    }

    Substrate substrate() {
        return substrate;
    }

    Tickets tickets() {
        return tickets;
    }

    Fan fan() {
        return fan;
    }

    String coordinator() {
        return config.coordinator();
    }

    NodeAddress address(String node) {
        NodeAddress address = addresses.get(node);
        if (address == null) {
            throw new NodeException(
                    node, ServerError.of("55000", "ddlrep: node " + node + " is not in the group"), null);
        }
        return address;
    }

    /** Follows a group that grew. */
    void learn(Group group) {
        group.nodes().forEach((name, address) -> {
            if (!config.addresses().containsKey(name)) {
                addresses.put(name, address);
            }
        });
    }

    /** A service session; {@link #giveBack} it, or close it. */
    NodeSession borrow(String node) {
        Deque<Idle> waiting = idle.computeIfAbsent(node, n -> new ArrayDeque<>());
        while (true) {
            Idle found;
            synchronized (waiting) {
                found = waiting.poll();
            }
            if (found == null) {
                return openService(node);
            }
            if (usable(found)) {
                return found.session();
            }
            found.session().close();
        }
    }

    private NodeSession openService(String node) {
        NodeSession opened = config.connector().open(address(node), credentials, "ddlrep service");
        // The service's own statements are qualified; this is for what a function of somebody else may leave.
        opened.execute("SET search_path = pg_catalog, pg_temp; SET idle_in_transaction_session_timeout = 0;"
                + " SET statement_timeout = 0; SET lock_timeout = 0;"
                // Control tables are small and rarely analysed: what the planner takes for a big join is none.
                + " SET jit = off; SET max_parallel_workers_per_gather = 0;"
                + " SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off; "
                + GonePeer.SETTINGS);
        return opened;
    }

    /** A session that waits for work since a moment. */
    private record Idle(NodeSession session, long sinceNanos) {}

    /** A server may have been restarted meanwhile, or hang: a session that waited long is asked first. */
    private boolean usable(Idle idle) {
        if (idle.session().isClosed()) {
            return false;
        }
        return System.nanoTime() - idle.sinceNanos() < FRESH.toNanos() || answers(idle.session());
    }

    /** Whether a session still answers, and that soon; closed where it does not. */
    boolean answers(NodeSession session) {
        try {
            within(ANSWER, session, s -> {
                s.execute("");
                return true;
            });
            return true;
        } catch (NodeException e) {
            session.close();
            return false;
        }
    }

    /** Returns a session that is outside a transaction. */
    void giveBack(NodeSession session) {
        if (closed || session.isClosed()) {
            session.close();
            return;
        }
        Deque<Idle> waiting = idle.computeIfAbsent(session.node(), n -> new ArrayDeque<>());
        synchronized (waiting) {
            waiting.push(new Idle(session, System.nanoTime()));
        }
    }

    /**
     * Asks a node that may not answer: after four seconds the session is cut, and the question fails with class 08.
     *
     * @param session a session of this engine's; closed where the node did not answer
     * @param question uses the session
     */
    <T> T probe(NodeSession session, Function<NodeSession, T> question) {
        return within(PROBE, session, question);
    }

    private <T> T within(Duration limit, NodeSession session, Function<NodeSession, T> question) {
        ScheduledFuture<?> cut = timer.schedule(session::close, limit.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return question.apply(session);
        } finally {
            cut.cancel(false);
        }
    }

    /** The clock of watches and probes. */
    ScheduledExecutorService timer() {
        return timer;
    }

    /** Opens a companion session, as the client's own user. */
    NodeSession openCompanion(String node, CompanionConnector client) {
        NodeSession opened = client.open(address(node), "ddlrep companion");
        opened.execute(GonePeer.SETTINGS);
        return opened;
    }

    @Override
    public void close() {
        closed = true;
        for (Deque<Idle> waiting : idle.values()) {
            synchronized (waiting) {
                waiting.forEach(i -> i.session().close());
                waiting.clear();
            }
        }
        substrate.close();
    }
}
