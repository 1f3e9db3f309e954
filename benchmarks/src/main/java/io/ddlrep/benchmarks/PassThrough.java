package io.ddlrep.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** One-row SELECTs over {@code jdbc:ddlrep:} against pgjdbc, to the same database. */
final class PassThrough implements Benchmark {
    private static final int ROUNDS = 41;
    private static final int SELECTS = 4000;
    private static final int ROWS = 10_000;
    private static final double GOAL = 1.01;
    private static final List<String> SCHEMA =
            List.of("CREATE SCHEMA app", "CREATE TABLE app.accounts (aid int PRIMARY KEY, abalance int)");
    private static final List<String> FILL =
            List.of("INSERT INTO app.accounts SELECT i, i FROM generate_series(0, " + (ROWS - 1) + ") i");

    /** Runs SELECTs over a connection. */
    private interface Work {
        void run(Connection connection, int selects) throws SQLException;
    }

    @Override
    public String name() {
        return "pass-through";
    }

    @Override
    public void run(Lab lab, Report report) throws SQLException {
        try (LabGroup group = lab.group("pass_ours", SCHEMA, FILL);
                Connection ddlrep = group.connect();
                Connection pgjdbc = group.origin().connect()) {
            compare(lab, report, "prepared SELECT of one row, us", PassThrough::prepared, List.of(ddlrep, pgjdbc));
            compare(lab, report, "SELECT of one row as text, us", PassThrough::text, List.of(ddlrep, pgjdbc));
        }
    }

    private void compare(Lab lab, Report report, String what, Work work, List<Connection> connections)
            throws SQLException {
        int selects = lab.size().count(SELECTS, 50);
        List<Samples> samples = List.of(new Samples(), new Samples());
        Samples ratios = new Samples();
        for (int round = -5; round < lab.size().rounds(ROUNDS); round++) {
            double[] times = new double[2];
            for (int turn = 0; turn < 2; turn++) {
                int side = (turn + round) & 1;
                times[side] = Stopwatch.millis(() -> work.run(connections.get(side), selects)) * 1000 / selects;
            }
            if (round >= 0) {
                samples.get(0).add(times[0]);
                samples.get(1).add(times[1]);
                ratios.add(times[0] / times[1]);
            }
        }
        double peer = samples.get(1).median();
        report.add(new Figure(
                name(),
                what,
                // The median of the pairs' ratios is steadier than the ratio of the medians.
                peer * ratios.median(),
                peer,
                Goal.ratioAtMost(GOAL),
                "median of " + ratios.size() + " paired ratios (" + ratios.spread() + ")"));
    }

    private static void prepared(Connection connection, int selects) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT abalance FROM app.accounts WHERE aid = ?")) {
            for (int i = 0; i < selects; i++) {
                statement.setInt(1, i * 7919 % ROWS);
                read(statement.executeQuery());
            }
        }
    }

    private static void text(Connection connection, int selects) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < selects; i++) {
                read(statement.executeQuery("SELECT abalance FROM app.accounts WHERE aid = " + i * 7919 % ROWS));
            }
        }
    }

    private static void read(ResultSet result) throws SQLException {
        try (result) {
            if (!result.next() || result.getInt(1) < 0) {
                throw new SQLException("no row");
            }
        }
    }
}
