package io.ddlrep.examples.demo;

import io.ddlrep.gateway.cli.CliCommand;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgServerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ddlrep dev}. Used by one thread. */
@Command(
        name = "dev",
        description = "Starts an empty group of PostgreSQL nodes, initialised and replicating, and keeps it running.",
        mixinStandardHelpOptions = true)
public final class DevCommand implements CliCommand {
    @Option(names = "--nodes", paramLabel = "N", defaultValue = "3", description = "Number of nodes, at least 2 (3).")
    private int nodes = 3;

    @Option(
            names = "--base-port",
            paramLabel = "PORT",
            defaultValue = "15432",
            description = "Port of the first node; the others follow (15432).")
    private int basePort = 15432;

    @Option(names = "--gateway-port", paramLabel = "PORT", description = "Port of the gateway (one below --base-port).")
    private @Nullable Integer gatewayPort;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the nodes keep their files while they run; removed at the end.")
    private @Nullable Path dir;

    @Option(names = "--pg", paramLabel = "MAJOR", defaultValue = "17", description = "PostgreSQL major, 14 to 18 (17).")
    private int major = 17;

    /** Made by picocli. */
    public DevCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        if (dir != null) {
            Files.createDirectories(dir);
            System.setProperty("ddlrep.instances", dir.toAbsolutePath().toString());
        }
        PrintStream out = System.out;
        List<PgServerOptions> options = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            options.add(EmbeddedGroup.options(major, 1).get(0).withSetting("port", Integer.toString(basePort + i)));
        }
        out.println("Starting " + nodes + " PostgreSQL " + major + " nodes (fsync on) …");
        try (EmbeddedGroup group = EmbeddedGroup.start("dev", options, node -> {})) {
            for (PgNode node : group.nodes()) {
                out.println("  " + node.name() + "  " + node.conninfo());
            }
            PgNode gateway = group.startGateway(gatewayPort == null ? basePort - 1 : gatewayPort);
            out.println("  gateway  " + gateway.conninfo());
            out.println();
            out.println("  psql '" + gateway.conninfo() + "' -c 'CREATE TABLE t (id int PRIMARY KEY)'");
            out.println("  psql '" + gateway.conninfo() + " dbname=ddlrep' -c 'SHOW NODES'");
            out.println("  " + group.url());
            out.println("  echo 'CREATE TABLE t (id int PRIMARY KEY)' | ./ddlrep script - --url '" + group.url() + "'");
            out.println("Ctrl-C ends it and removes everything.");
            new CountDownLatch(1).await();
            return 0;
        }
    }
}
