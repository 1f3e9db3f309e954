package io.ddlrep.engine.replication;

import static org.awaitility.Awaitility.await;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Figures, not verdicts: run it alone with {@code -Dexcluded.tags=none -Dtest=RowsSpeedIT}. */
@Tag("long")
class RowsSpeedIT {
    private static final Logger LOG = LoggerFactory.getLogger(RowsSpeedIT.class);

    private static double seconds(Work work) throws SQLException {
        long began = System.nanoTime();
        work.run();
        return (System.nanoTime() - began) / 1e9;
    }

    /** Something to be timed. */
    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }

    @Test
    void capture_and_synchronize() throws SQLException {
        try (RowsGroup group =
                RowsGroup.of(PgGroup.dedicated(2, PgServerOptions.defaults().withSetting("max_wal_size", "4GB")))) {
            String columns = " (id int PRIMARY KEY, g int, v text, w text)";
            group.nodes().executeOnAll("CREATE TABLE bare" + columns);
            group.replicate("CREATE TABLE t" + columns, "t");
            String fill = " SELECT g, g % 100, 'value ' || g, repeat('x', 40) FROM generate_series(1, 400000) g";
            for (int round = 1; round <= 3; round++) {
                double bare = seconds(() -> group.write("TRUNCATE bare", "INSERT INTO bare" + fill));
                double captured = seconds(() -> group.write("TRUNCATE t", "INSERT INTO t" + fill));
                double bareUpdate = seconds(() -> group.write("UPDATE bare SET v = v || 'u' WHERE id <= 200000"));
                double update = seconds(() -> group.write("UPDATE t SET v = v || 'u' WHERE id <= 200000"));
                double bareDelete = seconds(() -> group.write("DELETE FROM bare WHERE id <= 200000"));
                double delete = seconds(() -> group.write("DELETE FROM t WHERE id <= 200000"));
                long[] rows = new long[1];
                double apply = seconds(() -> rows[0] = group.synchronize());
                LOG.warn(
                        "capture: INSERT {}x, UPDATE {}x, DELETE {}x; {} changes synchronized in {} s, {}/s",
                        ratio(captured, bare),
                        ratio(update, bareUpdate),
                        ratio(delete, bareDelete),
                        rows[0],
                        apply,
                        Math.round(rows[0] / apply));
            }
            hotRows(group);
            lag(group);
        }
    }

    private static String ratio(double a, double b) {
        return String.format(java.util.Locale.ROOT, "%.2f", a / b);
    }

    /** A million changes of an OLTP kind: many transactions on few rows, and inserts. */
    private static void hotRows(RowsGroup group) throws SQLException {
        group.replicate(
                "CREATE TABLE hot (id int PRIMARY KEY, n bigint); CREATE TABLE history (id bigint PRIMARY KEY, d text)",
                "hot",
                "history");
        group.write("INSERT INTO hot SELECT g, 0 FROM generate_series(1, 10000) g");
        group.synchronize();
        group.write("CREATE PROCEDURE churn() LANGUAGE plpgsql AS $$ BEGIN FOR i IN 1..500000 LOOP"
                + " UPDATE hot SET n = n + 1 WHERE id = 1 + (i::bigint * 7919) % 10000; INSERT INTO history VALUES (i, 'x');"
                + " IF i % 100 = 0 THEN COMMIT; END IF; END LOOP; END $$");
        double written = seconds(() -> group.write("CALL churn()"));
        long[] rows = new long[1];
        double apply = seconds(() -> rows[0] = group.synchronize());
        LOG.warn(
                "{} changes of single rows written in {} s, synchronized in {} s: {}/s",
                rows[0],
                written,
                apply,
                Math.round(rows[0] / apply));
    }

    private static void lag(RowsGroup group) throws SQLException {
        List<Double> lags = new ArrayList<>();
        try (Replicator replicator = new Replicator(
                        group.substrate(),
                        group.access(),
                        "n1",
                        Replicator.controlSchema(group.access(), "n1"),
                        Replicator.Pace.standard());
                Connection replica = group.replicas().get(0).connect();
                Statement look = replica.createStatement();
                Connection origin = group.origin().connect();
                Statement write = origin.createStatement()) {
            replicator.start();
            // What was written before is purged first: until then each look reads all of it.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> "0".equals(group.origin().queryText("SELECT count(*) FROM ddlrep_shadow.s2_1")));
            for (int i = 1; i <= 220; i++) {
                write.execute("UPDATE hot SET n = -" + i + " WHERE id = 1");
                long committed = System.nanoTime();
                while (true) {
                    try (var row = look.executeQuery("SELECT n FROM hot WHERE id = 1")) {
                        row.next();
                        if (row.getLong(1) == -i) {
                            break;
                        }
                    }
                    if (System.nanoTime() - committed > Duration.ofSeconds(20).toNanos()) {
                        throw new IllegalStateException("never came: " + replicator.status());
                    }
                }
                if (i > 20) {
                    lags.add((System.nanoTime() - committed) / 1e6);
                }
            }
        }
        double[] sorted =
                lags.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        LOG.warn(
                "lag in ms: p50 {}, p95 {}, max {}",
                sorted[sorted.length / 2],
                sorted[sorted.length * 95 / 100],
                Arrays.stream(sorted).max().orElse(0));
    }
}
