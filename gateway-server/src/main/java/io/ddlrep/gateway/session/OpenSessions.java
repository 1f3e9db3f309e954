package io.ddlrep.gateway.session;

import io.ddlrep.gateway.startup.StartupPacket;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sessions of a gateway, each from its login until both of its connections are closed. Thread-safe. */
public final class OpenSessions {
    /** Who logs each session's begin and end. */
    public static final String LOG_NAME = "io.ddlrep.gateway.connections";

    private static final Logger CONNECTIONS = LoggerFactory.getLogger(LOG_NAME);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private final Map<GatewaySession, Entry> open = new LinkedHashMap<>();
    private long last;
    private boolean draining;

    /** What is known of a session from its beginning. */
    private record Entry(long id, Optional<StartupPacket> startup, Instant began) {
        private String parameter(String name) {
            return startup.map(packet -> packet.parameters().getOrDefault(name, ""))
                    .orElse("");
        }

        /** As the server has it: called as the user where none is named. */
        private String database() {
            String named = parameter("database");
            return named.isEmpty() ? parameter("user") : named;
        }
    }

    /** For a gateway that has begun. */
    public OpenSessions() {}

    void add(GatewaySession session, Optional<StartupPacket> startup) {
        lock.lock();
        try {
            Entry entry = new Entry(++last, startup, Instant.now());
            open.put(session, entry);
            CONNECTIONS.info(
                    "session {} begins: {} as \"{}\" on \"{}\", application \"{}\"",
                    entry.id(),
                    session.client().remoteAddress(),
                    entry.parameter("user"),
                    entry.database(),
                    entry.parameter("application_name"));
            if (draining) {
                session.drain();
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(GatewaySession session) {
        lock.lock();
        try {
            Entry entry = open.remove(session);
            if (entry != null) {
                Duration lasted = Duration.between(entry.began(), Instant.now());
                CONNECTIONS.info("session {} has ended after {} ms", entry.id(), lasted.toMillis());
            }
            if (open.isEmpty()) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many there are. */
    public int count() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether they are being ended. */
    public boolean isDraining() {
        lock.lock();
        try {
            return draining;
        } finally {
            lock.unlock();
        }
    }

    private Map<GatewaySession, Entry> copy() {
        lock.lock();
        try {
            return new LinkedHashMap<>(open);
        } finally {
            lock.unlock();
        }
    }

    /** All of them now, the oldest first. Waits for their event loops, so that none of these may call it. */
    public List<SessionView> views() {
        Map<GatewaySession, Entry> sessions = copy();
        Map<GatewaySession, Future<GatewaySession.State>> asked = new LinkedHashMap<>();
        sessions.forEach((session, entry) ->
                asked.put(session, session.client().eventLoop().submit(session::state)));
        List<SessionView> views = new ArrayList<>();
        asked.forEach((session, state) -> {
            // A session that has ended meanwhile is left out.
            if (state.awaitUninterruptibly(LOOK.toMillis(), TimeUnit.MILLISECONDS) && state.isSuccess()) {
                view(session, Objects.requireNonNull(sessions.get(session)), state.getNow())
                        .ifPresent(views::add);
            }
        });
        return views;
    }

    private static Optional<SessionView> view(GatewaySession session, Entry entry, GatewaySession.State state) {
        Channel client = session.client();
        Channel origin = session.origin();
        if (client.remoteAddress() instanceof InetSocketAddress from
                && client.localAddress() instanceof InetSocketAddress at
                && origin.localAddress() instanceof InetSocketAddress local
                && origin.remoteAddress() instanceof InetSocketAddress there) {
            return Optional.of(new SessionView(
                    entry.id(),
                    entry.parameter("user"),
                    entry.database(),
                    entry.parameter("application_name"),
                    state.state(),
                    state.operating(),
                    from,
                    at,
                    local,
                    there,
                    entry.began(),
                    client.pipeline().get(SslHandler.class) != null,
                    origin.pipeline().get(SslHandler.class) != null,
                    state.pid()));
        }
        return Optional.empty();
    }

    /**
     * Ends a session, whatever it does.
     *
     * @return whether there is one of this number
     */
    public boolean kill(long id) {
        for (Map.Entry<GatewaySession, Entry> each : copy().entrySet()) {
            if (each.getValue().id() == id) {
                each.getKey().kill();
                return true;
            }
        }
        return false;
    }

    /** Ends each session as soon as it is outside a transaction and has been answered; does not wait. */
    public void drain() {
        lock.lock();
        try {
            draining = true;
            open.keySet().forEach(GatewaySession::drain);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The same, and waits for all of them.
     *
     * @param limit how long to wait
     * @return whether all have ended
     */
    public boolean drain(Duration limit) throws InterruptedException {
        drain();
        lock.lock();
        try {
            long left = limit.toNanos();
            while (!open.isEmpty() && left > 0) {
                left = none.awaitNanos(left);
            }
            return open.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
