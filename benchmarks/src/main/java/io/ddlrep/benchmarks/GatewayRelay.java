package io.ddlrep.benchmarks;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What goes through the gateway without being DDL, next to PgBouncer in session mode: {@code pgbench -S}, both in front of the
 * same database. Needs the programs pgbench and pgbouncer; without them it only says so.
 */
final class GatewayRelay implements Benchmark {
    private static final int ROUNDS = 3;
    private static final int SECONDS = 6;
    private static final int SMOKE = 20;
    private static final double GOAL = 1.0;
    private static final List<String> MODES = List.of("simple", "prepared");
    private static final List<Integer> CLIENTS = List.of(1, 8, 32);
    private static final Pattern TPS = Pattern.compile("tps = ([0-9.]+) \\(");

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public void run(Lab lab, Report report) throws SQLException, IOException, InterruptedException {
        if (Programs.find("pgbench").isEmpty()) {
            report.say("  pgbench is not installed: nothing is measured");
            return;
        }
        PgNode node = lab.database(1, "gateway_bench");
        try (GatewayServer gateway = GatewayServer.start(
                GatewayConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new NodeAddress("n1", node.host(), node.port(), node.database()),
                        new ClientAuth.Trust()),
                Optional.of(engine(node)))) {
            int scale = lab.size().count(10, 1);
            pgbench(node, List.of("-i", "-q", "-s", Integer.toString(scale)));
            Optional<PgBouncer> peer = PgBouncer.start(node);
            try {
                PgNode ours = node.at("127.0.0.1", gateway.address().getPort());
                for (String mode : MODES) {
                    for (int clients : CLIENTS) {
                        compare(lab, report, new Sides(ours, peer, node), mode, clients);
                    }
                }
            } finally {
                peer.ifPresent(PgBouncer::close);
            }
        } finally {
            lab.drop(node);
        }
    }

    /** With an engine, so that every statement is looked into; none of them is DDL, so that it is never opened. */
    private static EngineConfig engine(PgNode node) {
        Credentials all = new Credentials(node.superuser(), node.password());
        return new EngineConfig(
                OperationSettings.DEFAULT, Optional.of(all), all, Map.of(), new JdbcConnector(Map.of()), "benchmark");
    }

    /** Three ways to one database. */
    private record Sides(PgNode ours, Optional<PgBouncer> peer, PgNode direct) {}

    private void compare(Lab lab, Report report, Sides sides, String mode, int clients)
            throws IOException, InterruptedException {
        Samples ours = new Samples();
        Samples peer = new Samples();
        Samples direct = new Samples();
        int seconds = lab.size().count(SECONDS, 0);
        for (int round = 0; round < lab.size().rounds(ROUNDS); round++) {
            ours.add(tps(sides.ours(), mode, clients, seconds));
            if (sides.peer().isPresent()) {
                peer.add(tps(sides.peer().get().node(), mode, clients, seconds));
            }
            direct.add(tps(sides.direct(), mode, clients, seconds));
        }
        boolean alone = sides.peer().isEmpty();
        report.add(new Figure(
                name(),
                "pgbench -S -M " + mode + " -c " + clients + " / PgBouncer, tps",
                ours.median(),
                alone ? Figure.ALONE : peer.median(),
                alone ? Goal.NONE : Goal.ratioAtLeast(GOAL),
                "direct " + Samples.number(direct.median()) + "; " + ours.spread()));
    }

    private static double tps(PgNode node, String mode, int clients, int seconds)
            throws IOException, InterruptedException {
        // A smoke run only shows that it runs.
        List<String> amount =
                seconds > 0 ? List.of("-T", Integer.toString(seconds)) : List.of("-t", Integer.toString(SMOKE));
        List<String> arguments = new ArrayList<>(List.of("-n", "-S", "-M", mode));
        arguments.addAll(List.of("-c", Integer.toString(clients), "-j", Integer.toString(Math.min(clients, 2))));
        arguments.addAll(amount);
        String text = pgbench(node, arguments);
        Matcher tps = TPS.matcher(text);
        if (!tps.find()) {
            throw new IOException("pgbench did not say how fast it was: " + text);
        }
        return Double.parseDouble(tps.group(1));
    }

    private static String pgbench(PgNode node, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Programs.find("pgbench").orElseThrow().toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGHOST", node.host());
        builder.environment().put("PGPORT", Integer.toString(node.port()));
        builder.environment().put("PGDATABASE", node.database());
        builder.environment().put("PGUSER", node.superuser());
        builder.environment().put("PGPASSWORD", node.password());
        builder.environment().put("PGSSLMODE", "disable");
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("pgbench failed: " + text);
        }
        return text;
    }

    /** The port that is free now. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
