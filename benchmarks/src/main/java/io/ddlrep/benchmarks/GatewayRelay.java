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
    private static final List<Integer> CONNECTING = List.of(1, 8);
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
        try (GatewayServer gateway = gateway(node)) {
            int scale = lab.size().count(10, 1);
            pgbench(node, List.of("-i", "-q", "-s", Integer.toString(scale)));
            PgNode ours = node.at("127.0.0.1", gateway.address().getPort());
            for (String mode : MODES) {
                for (int clients : CLIENTS) {
                    compare(lab, report, ours, node, mode, clients);
                }
            }
            for (int clients : CONNECTING) {
                connect(lab, report, ours, node, clients);
            }
        } finally {
            lab.drop(node);
        }
    }

    /** A gateway that looks into every statement; nothing is encrypted. */
    static GatewayServer gateway(PgNode node) {
        return GatewayServer.start(
                GatewayConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new NodeAddress("n1", node.host(), node.port(), node.database()),
                        new ClientAuth.Trust()),
                Optional.of(engine(node)));
    }

    /** With an engine, so that every statement is looked into; none of them is DDL, so that it is never opened. */
    private static EngineConfig engine(PgNode node) {
        Credentials all = new Credentials(node.superuser(), node.password());
        return new EngineConfig(
                OperationSettings.DEFAULT, Optional.of(all), all, Map.of(), new JdbcConnector(Map.of()), "benchmark");
    }

    private void compare(Lab lab, Report report, PgNode ours, PgNode node, String mode, int clients)
            throws IOException, InterruptedException {
        Measured measured = measure(lab, ours, node, List.of("-M", mode), clients);
        String run = "pgbench -S -M " + mode + " -c " + clients;
        report.add(new Figure(
                name(),
                run + " / PgBouncer, tps",
                measured.ours().median(),
                measured.peer(),
                Double.isNaN(measured.peer()) ? Goal.NONE : Goal.ratioAtLeast(GOAL),
                "direct " + Samples.number(measured.direct().median()) + "; "
                        + measured.ours().spread()));
        if (clients == 1) {
            double direct = 1e6 / measured.direct().median();
            report.add(new Figure(
                    name(),
                    run + " / PgBouncer, us added to a round trip",
                    1e6 / measured.ours().median() - direct,
                    1e6 / measured.peer() - direct,
                    Goal.NONE,
                    "direct " + Samples.number(direct)));
        }
    }

    /** A connection for each transaction: PgBouncer has one to the server already, the gateway opens one for each client. */
    private void connect(Lab lab, Report report, PgNode ours, PgNode node, int clients)
            throws IOException, InterruptedException {
        Measured measured = measure(lab, ours, node, List.of("-C"), clients);
        report.add(new Figure(
                name(),
                "pgbench -S -C -c " + clients + " / PgBouncer, connections/s",
                measured.ours().median(),
                measured.peer(),
                Goal.NONE,
                "direct " + Samples.number(measured.direct().median()) + "; "
                        + measured.ours().spread()));
    }

    /** Transactions a second; the peer's is not a number where there is none. */
    private record Measured(Samples ours, double peer, Samples direct) {}

    private static Measured measure(Lab lab, PgNode through, PgNode node, List<String> how, int clients)
            throws IOException, InterruptedException {
        Samples ours = new Samples();
        Samples theirs = new Samples();
        Samples direct = new Samples();
        int seconds = lab.size().count(SECONDS, 0);
        for (int round = 0; round < lab.size().rounds(ROUNDS); round++) {
            ours.add(tps(through, how, clients, seconds));
            // A new one for each run: it keeps its sessions on the server, and a server's session that has run before
            // is half
            // as fast again, since its caches and its mappings of shared memory are filled.
            Optional<PgBouncer> peer = PgBouncer.start(node);
            if (peer.isPresent()) {
                try (PgBouncer started = peer.get()) {
                    theirs.add(tps(started.node(), how, clients, seconds));
                }
            }
            direct.add(tps(node, how, clients, seconds));
        }
        return new Measured(ours, theirs.size() == 0 ? Figure.ALONE : theirs.median(), direct);
    }

    private static double tps(PgNode node, List<String> how, int clients, int seconds)
            throws IOException, InterruptedException {
        // A smoke run only shows that it runs.
        List<String> amount =
                seconds > 0 ? List.of("-T", Integer.toString(seconds)) : List.of("-t", Integer.toString(SMOKE));
        List<String> arguments = new ArrayList<>(List.of("-n", "-S"));
        arguments.addAll(how);
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
        Process process = program(node, command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("pgbench failed: " + text);
        }
        return text;
    }

    /** A program of PostgreSQL that connects to a node. */
    static ProcessBuilder program(PgNode node, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(node.environment());
        builder.environment().put("PGSSLMODE", "disable");
        return builder;
    }

    /** The port that is free now. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
