package io.ddlrep.examples.demo;

import io.ddlrep.gateway.cli.CliCommand;
import io.ddlrep.testkit.PgNode;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ddlrep demo}. Used by one thread. */
@Command(
        name = "demo",
        description = "Starts real PostgreSQL nodes and runs three scripts through jdbc:ddlrep: while writers run.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements CliCommand {
    @Option(names = "--exit", description = "End after the scripts: 0 only if every node is equal, else 1.")
    private boolean exit;

    @Option(names = "--pg", paramLabel = "MAJOR", defaultValue = "17", description = "PostgreSQL major, 14 to 18 (17).")
    private int major = 17;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "3", description = "Number of nodes, at least 2 (3).")
    private int nodes = 3;

    /** Made by picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws SQLException, InterruptedException {
        PrintStream out = System.out;
        out.println("Starting " + nodes + " PostgreSQL " + major + " nodes (fsync on) …");
        try (EmbeddedGroup group = EmbeddedGroup.start("demo", EmbeddedGroup.options(major, nodes), Demo::schema)) {
            group.nodes().forEach(node -> out.println("  " + node));
            PgNode gateway = group.startGateway(0);
            out.println("  gateway, for psql and any other client: " + gateway.host() + ":" + gateway.port());
            boolean equal = new Demo(group, out).run();
            out.println();
            out.println(equal ? "Every node is equal." : "The nodes are NOT equal.");
            if (!exit) {
                out.println();
                out.println("The group stays up. Try it:");
                out.println("  " + group.url());
                out.println(
                        "  echo 'ALTER TABLE t2 ADD COLUMN note text' | ./ddlrep script - --url '" + group.url() + "'");
                out.println("  psql '" + gateway.conninfo() + "' -c 'ALTER TABLE t2 ADD COLUMN remark text'");
                out.println("Ctrl-C ends it and removes everything.");
                new CountDownLatch(1).await();
            }
            return equal ? 0 : 1;
        }
    }
}
