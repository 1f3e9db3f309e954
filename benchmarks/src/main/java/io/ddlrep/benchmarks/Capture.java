package io.ddlrep.benchmarks;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What capture costs the origin: the same statements on a replicated table and on its twin without triggers, in another
 * database of the same server. A plain table is captured by statement, a partitioned one by row. Nobody consumes the
 * changes meanwhile.
 */
final class Capture implements Benchmark {
    private static final int ROUNDS = 5;
    private static final int LOOP = 4000;
    private static final int BULK = 1_000_000;
    private static final List<Form> FORMS = List.of(
            new Form(
                    "statement form",
                    List.of("CREATE SCHEMA app", "CREATE TABLE app.t (id int PRIMARY KEY, n int, v text)")),
            new Form(
                    "row form",
                    List.of(
                            "CREATE SCHEMA app",
                            "CREATE TABLE app.t (id int PRIMARY KEY, n int, v text) PARTITION BY HASH (id)",
                            "CREATE TABLE app.t_0 PARTITION OF app.t FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
                            "CREATE TABLE app.t_1 PARTITION OF app.t FOR VALUES WITH (MODULUS 2, REMAINDER 1)")));

    /** How a table is captured, in words, and how it is made. */
    private record Form(String words, List<String> schema) {}

    /** Samples of both sides. */
    private record Pair(Samples ours, Samples peer) {}

    @Override
    public String name() {
        return "capture";
    }

    @Override
    public void run(Lab lab, Report report) throws SQLException {
        int loop = lab.size().count(LOOP, 100);
        int bulk = lab.size().count(BULK, 1000);
        for (Form form : FORMS) {
            Map<String, Pair> pairs = measure(lab, form, loop, bulk);
            pairs.forEach((what, pair) -> report.add(new Figure(
                    name(),
                    what + ", " + form.words(),
                    pair.ours().median(),
                    pair.peer().median(),
                    Goal.NONE,
                    "extra " + Samples.number(pair.ours().median() - pair.peer().median()) + "; "
                            + pair.ours().spread() + " / " + pair.peer().spread())));
        }
    }

    private static Map<String, Pair> measure(Lab lab, Form form, int loop, int bulk) throws SQLException {
        Map<String, Pair> pairs = new LinkedHashMap<>();
        PgNode plain = lab.database(1, "capture_plain");
        plain.execute(form.schema().toArray(String[]::new));
        try (LabGroup group = lab.group("capture_ours", form.schema(), List.of())) {
            try (Connection captured = group.origin().connect();
                    Connection twin = plain.connect()) {
                captured.setAutoCommit(false);
                twin.setAutoCommit(false);
                for (int round = -1; round < lab.size().rounds(ROUNDS); round++) {
                    // The first only warms up.
                    Map<String, Pair> sink = round < 0 ? new LinkedHashMap<>() : pairs;
                    pair(oneRow(loop), 1000.0 / loop, List.of(captured, twin), sink);
                    pair(bulk(bulk), 1, List.of(captured, twin), sink);
                    clean(group, plain);
                }
            }
        } finally {
            lab.drop(plain);
        }
        return pairs;
    }

    /** Loops of single-row statements inside one server process: no round trip, no commit. */
    private static Map<String, String> oneRow(int loop) {
        Map<String, String> work = new LinkedHashMap<>();
        work.put("one-row INSERT, us", loop(loop, "INSERT INTO app.t VALUES (i, i, 'a value of some length')"));
        work.put("one-row UPDATE, us", loop(loop, "UPDATE app.t SET n = n + 1 WHERE id = i"));
        work.put("one-row DELETE, us", loop(loop, "DELETE FROM app.t WHERE id = i"));
        return work;
    }

    private static String loop(int loop, String statement) {
        return "DO $$ BEGIN FOR i IN 1.." + loop + " LOOP " + statement + "; END LOOP; END $$";
    }

    private static Map<String, String> bulk(int rows) {
        Map<String, String> work = new LinkedHashMap<>();
        work.put(
                rows + "-row INSERT, ms",
                "INSERT INTO app.t SELECT i, i, 'a value of some length' FROM generate_series(1, " + rows + ") i");
        work.put(rows + "-row UPDATE, ms", "UPDATE app.t SET n = n + 1");
        work.put(rows + "-row DELETE, ms", "DELETE FROM app.t");
        return work;
    }

    /** Each text on the captured table and on its twin, in turns; the commit is not timed. */
    private static void pair(
            Map<String, String> work, double unit, List<Connection> connections, Map<String, Pair> pairs)
            throws SQLException {
        for (Map.Entry<String, String> entry : work.entrySet()) {
            Pair pair = pairs.computeIfAbsent(entry.getKey(), what -> new Pair(new Samples(), new Samples()));
            boolean twinFirst = pair.ours().size() % 2 == 1;
            for (int turn = 0; turn < 2; turn++) {
                boolean twin = (turn == 0) == twinFirst;
                Connection connection = connections.get(twin ? 1 : 0);
                double time = unit * Stopwatch.millis(() -> execute(connection, entry.getValue()));
                connection.commit();
                (twin ? pair.peer() : pair.ours()).add(time);
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Throws captured changes and dead rows away: a later round shall not pay for an earlier one. */
    private static void clean(LabGroup group, PgNode twin) throws SQLException {
        group.forgetChanges();
        group.origin().execute("VACUUM app.t", "CHECKPOINT");
        twin.execute("VACUUM app.t");
    }
}
