package io.ddlrep.gateway.cli;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.LostHistoryException;
import io.ddlrep.engine.substrate.Substrate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one replica of one publication caught up. Used by one thread. Never ends by itself: what fails is told once, and
 * tried again with a growing pause. A session on the origin holds an advisory lock, so that of several processes one works.
 */
final class ReplicationLoop {
    private static final long BUSY_MILLIS = 5;
    private static final long IDLE_MILLIS = 100;
    private static final long FAILED_MILLIS = 5000;

    private final GroupConnection connection;
    private final Substrate substrate;
    private final String publication;
    private final String replica;
    private final Consumer<String> tell;
    private @Nullable NodeSession leader;
    private String told = "";

    ReplicationLoop(
            GroupConnection connection,
            Substrate substrate,
            String publication,
            String replica,
            Consumer<String> tell) {
        this.connection = connection;
        this.substrate = substrate;
        this.publication = publication;
        this.replica = replica;
        this.tell = tell;
    }

    /** Runs until the latch is down. */
    void run(CountDownLatch stop) {
        long pause = 0;
        try {
            while (!stop.await(pause, TimeUnit.MILLISECONDS)) {
                pause = step(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            release();
        }
    }

    private long step(long pause) {
        try {
            String state = lead();
            if (!state.equals("active")) {
                tellOnce(state);
                return 1000;
            }
            if (substrate.isBehind(publication, replica)) {
                long changes = substrate.synchronize(publication, replica, substrate.mark());
                tellOnce("caught up");
                return changes > 0 ? BUSY_MILLIS : IDLE_MILLIS;
            }
            tellOnce("caught up");
            return Math.min(IDLE_MILLIS, Math.max(BUSY_MILLIS, pause + BUSY_MILLIS));
        } catch (LostHistoryException e) {
            tellOnce("stopped, the origin lost history: " + e.getMessage());
            return FAILED_MILLIS;
        } catch (NodeException e) {
            tellOnce(Objects.requireNonNullElse(e.getMessage(), "failed"));
            if (e.isConnectionLost()) {
                release();
            }
            return Math.min(FAILED_MILLIS, Math.max(200, pause * 2));
        }
    }

    /** The replica's state as the origin has it, once this process has the lock; "waiting …" before. */
    private String lead() {
        NodeSession session = leader;
        if (session == null) {
            session = connection.open(Objects.requireNonNull(
                    connection.group().nodes().get(connection.group().self())));
            leader = session;
            session.execute("SET idle_session_timeout = 0");
        }
        List<Row> rows = session.query(
                "SELECT n.state, CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_locks l"
                        + " WHERE l.locktype = 'advisory' AND l.pid = pg_catalog.pg_backend_pid() AND l.objsubid = 1 AND l.mode = 'ExclusiveLock')"
                        + " THEN true ELSE pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended('ddlrep replicate ' || $1 || ' ' || $2, 0)) END AS leads"
                        + " FROM ddlrep.publication_node n WHERE n.publication = $1 AND n.node = $2",
                publication,
                replica);
        if (rows.isEmpty()) {
            return "is no replica any more";
        }
        return rows.get(0).flag("leads") ? rows.get(0).text("state") : "another process replicates";
    }

    private void tellOnce(String what) {
        if (!told.equals(what)) {
            told = what;
            tell.accept("publication " + publication + ", replica " + replica + ": " + what);
        }
    }

    private void release() {
        NodeSession session = leader;
        leader = null;
        if (session != null) {
            session.close();
        }
    }
}
