package io.ddlrep.examples.demo;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.load.LoadGenerator;
import io.ddlrep.testkit.load.LoadPlan;
import io.ddlrep.testkit.load.LoadReport;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * The main job, told in three scripts: one that changes all nodes, one that fails on one replica only, and one that is
 * blocked by a lock. Writers run before, during and after each. Used by one thread.
 */
final class Demo {
    /** The script of Slony-I's manual, as it is. */
    private static final String SEED = "ALTER TABLE t1 ADD COLUMN c1 integer; CREATE SEQUENCE s1;"
            + " UPDATE t1 SET c1=nextval('s1'); ALTER TABLE t1 ALTER COLUMN c1 SET NOT NULL;"
            + " ALTER TABLE t1 ADD PRIMARY KEY(c1);";

    private static final String CLASH = "ALTER TABLE t1 ADD COLUMN c2 text; CREATE SEQUENCE s2;";

    private static final String BLOCKED = "ALTER TABLE t2 ADD COLUMN c2 text;";

    private static final int ROWS = 100_000;
    private static final int WRITERS = 4;

    private final EmbeddedGroup group;
    private final PrintStream out;
    private final NodeTable table;
    private boolean equal = true;
    private volatile boolean keyed;

    Demo(EmbeddedGroup group, PrintStream out) {
        this.group = group;
        this.out = out;
        this.table = new NodeTable(group, out);
    }

    /** The same tables and rows on every node, but on replicas stored in another physical order. */
    static void schema(PgNode node) throws SQLException {
        boolean origin = node.name().equals("n1");
        String order = origin ? "i" : "pg_catalog.md5(i::text || '" + node.name() + "')";
        node.execute(
                "CREATE TABLE t1 (v integer NOT NULL, w text)",
                "CREATE INDEX t1_v ON t1 (v)",
                "CREATE TABLE t2 (id integer PRIMARY KEY, n bigint NOT NULL)",
                "INSERT INTO t1 SELECT i, pg_catalog.md5(i::text) FROM pg_catalog.generate_series(1, " + ROWS
                        + ") i ORDER BY " + order,
                "INSERT INTO t2 SELECT i, 0 FROM pg_catalog.generate_series(1, 1000) i ORDER BY " + order,
                "VACUUM ANALYZE");
    }

    /**
     * Runs the three scripts.
     *
     * @return whether every node was equal after each of them
     */
    boolean run() throws SQLException {
        table.print("Before: t1 has no key, and its rows lie in another order on each node", "t1", "t2");
        script("1. A script that changes all nodes, rows included", "", SEED, List.of("t1", "t2"), null);
        onlyOn(group.nodes().get(group.nodes().size() - 1), "CREATE SEQUENCE s2");
        script(
                "2. A script that fails on one replica only: "
                        + group.nodes().get(group.nodes().size() - 1).name() + " has a sequence s2 of its own",
                "",
                CLASH,
                List.of("t1", "t2"),
                null);
        onlyOn(group.nodes().get(group.nodes().size() - 1), "DROP SEQUENCE s2");
        PgNode blockedNode = group.nodes().get(1);
        try (Connection reader = blockedNode.connect()) {
            script(
                    "3. A script that is blocked by a lock: a reader has t2 open on " + blockedNode.name()
                            + "; lock_wait is 2 s",
                    "&lockWait=2s",
                    BLOCKED,
                    List.of("t1", "t2"),
                    reader);
        }
        return equal;
    }

    private void script(String title, String properties, String sql, List<String> tables, @Nullable Connection reader)
            throws SQLException {
        out.println();
        out.println("== " + title);
        out.println("   " + sql);
        if (reader != null) {
            reader.setAutoCommit(false);
            try (Statement statement = reader.createStatement()) {
                statement.execute("SELECT FROM t2 LIMIT 1");
            }
        }
        try (LoadGenerator writers = writers()) {
            writers.awaitCommits(50, Duration.ofMinutes(1));
            long began = System.nanoTime();
            send(properties, sql);
            long ended = System.nanoTime();
            writers.awaitCommits(50, Duration.ofMinutes(1));
            LoadReport report = writers.stop();
            out.println("   " + WRITERS + " writers: " + report.commits() + " transactions; errors: "
                    + (report.errors().isEmpty() ? "none" : report.errors()) + "; longest wait while the script ran: "
                    + writers.longestWaitBetween(began, ended).toMillis() + " ms");
        }
        if (reader != null) {
            reader.rollback();
        }
        group.synchronize();
        equal &= table.print("   After:", tables.toArray(new String[0]));
    }

    /** Sends the script through an ordinary JDBC connection, as any application would. */
    private void send(String properties, String sql) throws SQLException {
        long began = System.nanoTime();
        try (Connection connection = group.connect("&notices=summary" + properties);
                Statement statement = connection.createStatement()) {
            long sent = System.nanoTime();
            try {
                statement.execute(sql);
                keyed = true;
                out.println("   done in " + millis(sent) + " ms (connected in " + (sent - began) / 1_000_000 + " ms)");
                for (SQLWarning warning = statement.getWarnings();
                        warning != null;
                        warning = warning.getNextWarning()) {
                    out.println("   NOTICE: " + warning.getMessage());
                }
            } catch (SQLException e) {
                out.println("   refused after " + millis(sent) + " ms:");
                explain(e);
            }
        }
    }

    private void explain(SQLException failure) {
        ServerErrorMessage said = failure instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
        String message = said == null ? failure.getMessage() : said.getMessage();
        out.println("   ERROR " + failure.getSQLState() + ": " + firstLine(message));
        if (said != null) {
            line("DETAIL", said.getDetail());
            line("HINT", said.getHint());
            line("CONTEXT", said.getWhere());
        }
    }

    private void line(String name, @Nullable String text) {
        if (text != null && !text.isBlank()) {
            out.println("   " + name + ": " + text.replace("\n", "\n     "));
        }
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "" : text.lines().findFirst().orElse("");
    }

    private static long millis(long since) {
        return (System.nanoTime() - since) / 1_000_000;
    }

    private LoadGenerator writers() {
        return LoadPlan.of(WRITERS, 42)
                .add(4, session -> {
                    breathe();
                    session.execute(
                            "UPDATE t2 SET n = n + 1 WHERE id = ?",
                            session.random().nextInt(1, 1001));
                    session.execute(insert(), session.random().nextInt(1, ROWS));
                })
                .add(2, session -> {
                    breathe();
                    session.execute(
                            "UPDATE t1 SET w = 'changed' WHERE v = ?",
                            session.random().nextInt(1, ROWS));
                })
                .add(1, session -> {
                    breathe();
                    session.execute(
                            "DELETE FROM t1 WHERE v = ?", session.random().nextInt(1, ROWS));
                })
                .start(() -> group.origin().connect());
    }

    /** After the first script t1 wants a value for c1: the application is changed with the schema. */
    private String insert() {
        return keyed
                ? "INSERT INTO t1 (v, w, c1) VALUES (?, 'new', nextval('s1'))"
                : "INSERT INTO t1 (v, w) VALUES (?, 'new')";
    }

    /** The writers of an application think between transactions; these do for ten milliseconds. */
    private static void breathe() {
        LockSupport.parkNanos(10_000_000L);
    }

    private static void onlyOn(PgNode node, String sql) throws SQLException {
        node.execute("SET ddlrep.replicate = off", sql);
    }
}
