package io.ddlrep.testkit.load;

import io.ddlrep.testkit.TestkitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writers that run random transactions, each over its own connection, until they are stopped. Failed transactions are
 * counted by SQLSTATE and the writers go on; lost connections are opened again.
 *
 * <pre>{@code
 * TableWork orders = TableWork.on("orders");
 * try (LoadGenerator load = LoadPlan.of(4, seed).add(3, orders.insert()).add(1, orders.delete()).start(node::connect)) {
 *     load.awaitCommits(100, Duration.ofSeconds(10));
 *     long before = System.nanoTime();
 *     …
 *     assertThat(load.longestWaitSince(before)).isLessThan(Duration.ofMillis(150));
 * }
 * }</pre>
 *
 * Thread-safe.
 */
public final class LoadGenerator implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LoadGenerator.class);
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(50);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    /** Opens a writer's connection. */
    @FunctionalInterface
    public interface Connector {
        Connection connect() throws SQLException;
    }

    private final Connector connector;
    private final LoadPlan plan;
    private final Waits waits = new Waits();
    private final List<Thread> writers = new ArrayList<>();
    private final Map<String, Long> errors = new TreeMap<>();
    private long commits;
    private long unknown;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final long started = System.nanoTime();

    LoadGenerator(LoadPlan plan, Connector connector) {
        this.plan = plan;
        this.connector = connector;
        SplittableRandom seeds = new SplittableRandom(plan.seed());
        for (int i = 1; i <= plan.writers(); i++) {
            SplittableRandom random = seeds.split();
            Thread writer = new Thread(() -> write(random), "load writer " + i);
            writer.setDaemon(true);
            writers.add(writer);
        }
    }

    void start() {
        writers.forEach(Thread::start);
    }

    /** Waits until at least {@code count} transactions have been committed since this call. */
    public synchronized void awaitCommits(long count, Duration limit) {
        long goal = commits + count;
        long deadline = System.nanoTime() + limit.toNanos();
        while (commits < goal) {
            long rest = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (rest <= 0) {
                throw new TestkitException(
                        "only " + (commits - goal + count) + " commits within " + limit + "; errors: " + errors);
            }
            try {
                wait(rest);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestkitException("interrupted while waiting for commits", e);
            }
        }
    }

    /** The longest statement that was running at any time since {@code nanoTime} (System.nanoTime). */
    public Duration longestWaitSince(long nanoTime) {
        return waits.longest(nanoTime, System.nanoTime());
    }

    /** The longest statement that was running at any time between the two values of System.nanoTime. */
    public Duration longestWaitBetween(long from, long to) {
        return waits.longest(from, to);
    }

    public synchronized LoadReport report() {
        Duration longest = waits.longest(started, System.nanoTime());
        return new LoadReport(commits, unknown, waits.count(), errors, longest);
    }

    /** Lets every writer finish its transaction and returns the final report. */
    public LoadReport stop() {
        stopped.countDown();
        for (Thread writer : writers) {
            try {
                writer.join(STOP_LIMIT.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestkitException("interrupted while writers stop", e);
            }
            if (writer.isAlive()) {
                throw new TestkitException(writer.getName() + " hangs in its transaction");
            }
        }
        return report();
    }

    @Override
    public void close() {
        stop();
    }

    private void write(SplittableRandom random) {
        while (!isStopped()) {
            try (Connection connection = connector.connect()) {
                connection.setAutoCommit(false);
                writeOver(connection, new LoadSession(connection, random, waits));
            } catch (SQLException e) {
                failed(e, false);
                pauseBeforeReconnect();
            }
        }
    }

    /** Returns when the generator is stopped; throws when the connection is lost. */
    private void writeOver(Connection connection, LoadSession session) throws SQLException {
        while (!isStopped()) {
            boolean committing = false;
            try {
                plan.pick(session.random()).run(session);
                committing = true;
                session.commit();
                committed();
            } catch (SQLException e) {
                if (isConnectionLost(e) || connection.isClosed()) {
                    failed(e, committing);
                    return;
                }
                failed(e, false);
                connection.rollback();
            }
        }
    }

    private static boolean isConnectionLost(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }

    private synchronized void committed() {
        commits++;
        notifyAll();
    }

    private synchronized void failed(SQLException e, boolean outcomeUnknown) {
        errors.merge(stateOf(e), 1L, Long::sum);
        if (outcomeUnknown) {
            unknown++;
        }
    }

    private static String stateOf(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "none" : state;
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    private void pauseBeforeReconnect() {
        try {
            boolean stop = stopped.await(RECONNECT_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            LOG.debug("reconnecting: {}", !stop);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted", e);
        }
    }
}
