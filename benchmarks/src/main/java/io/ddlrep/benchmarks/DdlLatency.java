package io.ddlrep.benchmarks;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * ALTER TABLE … ADD COLUMN over an open connection of {@code jdbc:ddlrep:} on three nodes, against the same ALTER of a table
 * without ddlrep on one node: by {@code psql -c}, and over an open connection of pgjdbc.
 */
final class DdlLatency implements Benchmark {
    private static final int ROUNDS = 41;

    /** A gateway and an application's driver have run for days; in their first rounds most of their time is the compiler's. */
    private static final int WARM_UP = 100;

    /** Columns that a table gets before it is made anew. */
    private static final int COLUMNS = 8;

    private static final String SCHEMA = "CREATE SCHEMA app";
    private static final String TABLE_OF_EACH = "app.items";

    /** The gateway's, on the same nodes: a group of its own would be a comparison of two groups. */
    private static final String TABLE_BEHIND = "app.behind";

    private static final String COLUMNS_OF_EACH = " (id int PRIMARY KEY, name text, price numeric)";
    private static final double PSQL_GOAL = 0.5;
    private static final double PGJDBC_GOAL = 5;

    /** One round trip more, of some 30 ms. */
    private static final double GATEWAY_GOAL = 1.02;

    private final boolean profile;

    DdlLatency(boolean profile) {
        this.profile = profile;
    }

    @Override
    public String name() {
        return "ddl-latency";
    }

    /** One way to run a DDL. */
    private interface Way {
        void run(String sql) throws SQLException;
    }

    /** A table, the way to change it, whether that stays warm, the connection that makes the table, and what it took. */
    private record Runner(String table, Way way, boolean warms, Connection connection, Samples samples) {}

    @Override
    public void run(Lab lab, Report report) throws SQLException {
        PgNode plain = lab.database(1, "ddl_plain");
        PgNode psqlNode = lab.database(1, "ddl_psql");
        for (PgNode node : List.of(plain, psqlNode)) {
            node.execute(SCHEMA, create(TABLE_OF_EACH));
        }
        try (LabGroup group =
                        lab.group("ddl_ours", List.of(SCHEMA, create(TABLE_OF_EACH), create(TABLE_BEHIND)), List.of());
                GatewayServer gateway = gateway(group.origin())) {
            group.startReplicator();
            try (Connection ours = group.connect();
                    Connection through = group.origin()
                            .at("127.0.0.1", gateway.address().getPort())
                            .connect();
                    Connection pgjdbc = plain.connect();
                    Connection forPsql = psqlNode.connect()) {
                Runner first = new Runner(TABLE_OF_EACH, sql -> execute(ours, sql), true, ours, new Samples());
                Runner second = new Runner(TABLE_OF_EACH, sql -> execute(pgjdbc, sql), true, pgjdbc, new Samples());
                Optional<Runner> third = Programs.find("psql")
                        .map(psql -> new Runner(
                                TABLE_OF_EACH, sql -> psql(psql, psqlNode, sql), false, forPsql, new Samples()));
                Runner fourth = new Runner(TABLE_BEHIND, sql -> execute(through, sql), true, through, new Samples());
                List<Runner> runners = new ArrayList<>(List.of(first, second, fourth));
                third.ifPresent(runners::add);
                measure(runners, lab.size().rounds(ROUNDS));
                third.ifPresentOrElse(
                        psql -> report.add(
                                name(),
                                "ADD COLUMN on 3 nodes / psql -c on one, ms",
                                first.samples(),
                                psql.samples(),
                                Goal.ratioAtMost(PSQL_GOAL)),
                        () -> report.say("  no psql on the PATH: its row is left out"));
                report.add(
                        name(),
                        "ADD COLUMN on 3 nodes / pgjdbc on one, ms",
                        first.samples(),
                        second.samples(),
                        Goal.ratioAtMost(PGJDBC_GOAL));
                report.add(
                        name(),
                        "ADD COLUMN on 3 nodes, through the gateway / through the driver, ms",
                        fourth.samples(),
                        first.samples(),
                        Goal.ratioAtMost(GATEWAY_GOAL));
            }
            if (profile) {
                new StepProfile(group.origin(), lab.size().rounds(ROUNDS)).print(report);
            }
        } finally {
            lab.drop(plain);
            lab.drop(psqlNode);
        }
    }

    private static String create(String table) {
        return "CREATE TABLE " + table + COLUMNS_OF_EACH;
    }

    private static GatewayServer gateway(PgNode origin) {
        return GatewayServer.start(
                GatewayConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new NodeAddress(origin.name(), origin.host(), origin.port(), origin.database()),
                        new ClientAuth.Trust()),
                Optional.of(new EngineConfig(
                        OperationSettings.DEFAULT,
                        Optional.of(LabGroup.service(origin)),
                        LabGroup.apply(origin),
                        Map.of(),
                        new JdbcConnector(Map.of()),
                        "benchmark")));
    }

    /**
     * Rounds of one ALTER each, behind those that warm up what stays warm. The order is drawn anew for each round: what an operation
     * leaves to be done behind it, as by a replicator, would else always be at the cost of the same one.
     */
    private static void measure(List<Runner> runners, int rounds) throws SQLException {
        int warmUp = Math.min(WARM_UP, 3 * rounds);
        Random random = new Random(rounds);
        List<Runner> order = new ArrayList<>(runners);
        for (int round = 0; round < warmUp + rounds; round++) {
            int column = round % COLUMNS;
            Collections.shuffle(order, random);
            for (Runner runner : order) {
                if (round < warmUp && !runner.warms()) {
                    continue;
                }
                if (column == 0 && round > 0) {
                    execute(runner.connection(), "DROP TABLE " + runner.table());
                    execute(runner.connection(), create(runner.table()));
                }
                String alter = "ALTER TABLE " + runner.table() + " ADD COLUMN c" + column + " int";
                double millis = Stopwatch.millis(() -> runner.way().run(alter));
                if (round >= warmUp) {
                    runner.samples().add(millis);
                }
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The whole life of a psql, as a person or a script has it. */
    private static void psql(Path psql, PgNode node, String sql) throws SQLException {
        try {
            Process process = new ProcessBuilder(psql.toString(), "-X", "-q", "-c", sql, node.conninfo())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            int code = process.waitFor();
            if (code != 0) {
                throw new SQLException("psql ended with " + code + " for " + sql);
            }
        } catch (IOException e) {
            throw new SQLException("psql cannot be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while psql runs", e);
        }
    }
}
