package io.ddlrep.benchmarks;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * From the acknowledged commit on the origin until the row is seen on a replica, with nothing else going on: by the
 * replicator, and by PostgreSQL's own logical replication. One after the other, since a slot's sender reads the WAL of every
 * database of its server.
 */
final class Lag implements Benchmark {
    private static final int ROUNDS = 3;
    private static final int PROBES = 200;
    private static final long PAUSE_MILLIS = 20;
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private static final double GOAL = 5;
    private static final List<String> SCHEMA =
            List.of("CREATE SCHEMA app", "CREATE TABLE app.probe (id int PRIMARY KEY, v text)");

    @Override
    public String name() {
        return "lag";
    }

    @Override
    public void run(Lab lab, Report report) throws SQLException, InterruptedException {
        Samples ours = new Samples();
        Samples peer = new Samples();
        int probes = lab.size().count(PROBES, 5);
        for (int round = 0; round < lab.size().rounds(ROUNDS); round++) {
            try (LabGroup group = lab.group("lag_ours", SCHEMA, List.of())) {
                group.startReplicator();
                try {
                    probe(group.origin(), group.replica(1), probes, ours);
                } catch (SQLException e) {
                    throw new SQLException(e.getMessage() + "; replicator: " + group.replicas(), e);
                }
            }
            logical(lab, probes, peer);
        }
        String note = ours.size() + " probes each";
        report.add(new Figure(name(), "p50, ms", ours.median(), peer.median(), Goal.oursAtMost(GOAL), note));
        report.add(new Figure(name(), "p95, ms", ours.percentile(95), peer.percentile(95), Goal.NONE, note));
        report.add(new Figure(name(), "longest, ms", ours.percentile(100), peer.percentile(100), Goal.NONE, note));
    }

    private static void logical(Lab lab, int probes, Samples samples) throws SQLException, InterruptedException {
        PgNode publisher = lab.database(1, "lag_plain");
        PgNode subscriber = lab.database(2, "lag_plain");
        publisher.execute(SCHEMA.toArray(String[]::new));
        subscriber.execute(SCHEMA.toArray(String[]::new));
        try {
            try (NativeLogical peer = NativeLogical.prepare(publisher, List.of(subscriber))) {
                peer.enable();
                probe(publisher, subscriber, probes, samples);
            }
        } finally {
            lab.drop(subscriber);
            lab.drop(publisher);
        }
    }

    private static void probe(PgNode origin, PgNode replica, int probes, Samples samples)
            throws SQLException, InterruptedException {
        int warmUp = Math.min(probes, 20);
        try (Connection writer = origin.connect();
                Connection reader = replica.connect();
                PreparedStatement insert = writer.prepareStatement("INSERT INTO app.probe VALUES (?, 'probe')");
                PreparedStatement select = reader.prepareStatement("SELECT 1 FROM app.probe WHERE id = ?")) {
            for (int i = 0; i < warmUp + probes; i++) {
                insert.setInt(1, i);
                insert.executeUpdate();
                long committed = System.nanoTime();
                select.setInt(1, i);
                awaitRow(select, replica, committed + LIMIT_NANOS);
                if (i >= warmUp) {
                    samples.add(Stopwatch.millisSince(committed));
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private static void awaitRow(PreparedStatement select, PgNode replica, long deadline) throws SQLException {
        while (System.nanoTime() - deadline < 0) {
            try (ResultSet rows = select.executeQuery()) {
                if (rows.next()) {
                    return;
                }
            }
        }
        throw new SQLException("a row did not come within a minute to " + replica);
    }
}
