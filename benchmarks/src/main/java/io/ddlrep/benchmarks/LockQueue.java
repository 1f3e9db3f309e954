package io.ddlrep.benchmarks;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.load.LoadGenerator;
import io.ddlrep.testkit.load.LoadPlan;
import io.ddlrep.testkit.load.LoadReport;
import io.ddlrep.testkit.load.LoadSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * A DDL meets a transaction that has read the table and goes on for five seconds, while writers write. A plain ALTER waits
 * in the lock queue, and everybody else waits behind it.
 */
final class LockQueue implements Benchmark {
    private static final int ROUNDS = 3;
    private static final int WRITERS = 8;

    /** 8 writers that pause 40 ms on average make 200 transactions a second. */
    private static final int LONGEST_PAUSE = 80;

    private static final int ROWS = 10_000;
    private static final Duration READER = Duration.ofSeconds(5);
    private static final Duration BEFORE = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final double GOAL = 150;
    private static final List<String> SCHEMA =
            List.of("CREATE SCHEMA app", "CREATE TABLE app.busy (id int PRIMARY KEY, v text)");
    private static final List<String> FILL =
            List.of("INSERT INTO app.busy SELECT i, 'start' FROM generate_series(0, " + (ROWS - 1) + ") i");

    /** The longest waits of writers in ms, before the DDL and during it, and what the DDL itself took. */
    private record Side(Samples before, Samples waits, Samples walls) {
        static Side empty() {
            return new Side(new Samples(), new Samples(), new Samples());
        }
    }

    @Override
    public String name() {
        return "lock-queue";
    }

    @Override
    public void run(Lab lab, Report report) throws SQLException, InterruptedException {
        Side ours = Side.empty();
        Side peer = Side.empty();
        Duration hold = lab.size().time(READER);
        PgNode plain = lab.database(1, "queue_plain");
        plain.execute(SCHEMA.toArray(String[]::new));
        plain.execute(FILL.toArray(String[]::new));
        try (LabGroup group = lab.group("queue_ours", SCHEMA, FILL)) {
            group.startReplicator();
            try (Connection ddlrep = group.connect();
                    Connection pgjdbc = plain.connect()) {
                // The first DDL of a connection opens the engine's sessions; that is not what is measured here.
                add(ddlrep, "warm");
                add(pgjdbc, "warm");
                for (int round = 0; round < lab.size().rounds(ROUNDS); round++) {
                    round(group.origin(), ddlrep, "c" + round, hold, ours);
                    round(plain, pgjdbc, "c" + round, hold, peer);
                }
            }
        } finally {
            lab.drop(plain);
        }
        String reader = " behind a reader of " + Samples.number(hold.toMillis() / 1e3) + " s, ms";
        report.add(name(), "longest wait of a writer" + reader, ours.waits(), peer.waits(), Goal.oursAtMost(GOAL));
        report.add(name(), "the DDL itself" + reader, ours.walls(), peer.walls(), Goal.NONE);
        report.add(name(), "longest wait of a writer without DDL, ms", ours.before(), peer.before(), Goal.NONE);
    }

    private static void round(PgNode node, Connection ddl, String column, Duration hold, Side side)
            throws SQLException, InterruptedException {
        try (LoadGenerator load =
                        LoadPlan.of(WRITERS, 1).add(1, LockQueue::write).start(node::connect);
                Connection reader = node.connect()) {
            load.awaitCommits(WRITERS, LIMIT);
            long quiet = System.nanoTime();
            Thread.sleep(BEFORE.toMillis());
            Thread ending = read(reader, hold);
            long start = System.nanoTime();
            side.before().add(load.longestWaitBetween(quiet, start).toNanos() / 1e6);
            add(ddl, column);
            side.walls().add(Stopwatch.millisSince(start));
            side.waits().add(load.longestWaitSince(start).toNanos() / 1e6);
            ending.join();
            LoadReport done = load.stop();
            if (!done.errors().isEmpty()) {
                throw new SQLException("writers failed: " + done.errors());
            }
        }
    }

    private static void add(Connection connection, String column) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE app.busy ADD COLUMN " + column + " int");
        }
    }

    /** Reads the table in a transaction; the thread ends it when its time is over. */
    private static Thread read(Connection reader, Duration hold) throws SQLException {
        reader.setAutoCommit(false);
        try (Statement statement = reader.createStatement()) {
            statement.execute("SELECT count(*) FROM app.busy");
        }
        Thread ending = new Thread(
                () -> {
                    try {
                        Thread.sleep(hold.toMillis());
                        reader.commit();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (SQLException e) {
                        throw new IllegalStateException("the reader cannot end", e);
                    }
                },
                "reader");
        ending.setDaemon(true);
        ending.start();
        return ending;
    }

    /** Pauses, then updates one row; the pause is outside of the transaction, which begins with its first statement. */
    private static void write(LoadSession session) throws SQLException {
        try {
            Thread.sleep(session.random().nextInt(LONGEST_PAUSE + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        }
        session.execute(
                "UPDATE app.busy SET v = ? WHERE id = ?",
                Long.toHexString(session.random().nextLong()),
                session.random().nextInt(ROWS));
    }
}
