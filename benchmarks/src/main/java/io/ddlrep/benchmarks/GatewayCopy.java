package io.ddlrep.benchmarks;

import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Programs;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A gigabyte by COPY in each direction, through the gateway and through PgBouncer. Needs the program psql. */
final class GatewayCopy implements Benchmark {
    private static final int ROUNDS = 3;
    private static final int ROWS = 1_000_000;
    private static final int ROW_BYTES = 1_024;

    GatewayCopy() {}

    @Override
    public String name() {
        return "gateway-copy";
    }

    @Override
    public void run(Lab lab, Report report) throws SQLException, IOException, InterruptedException {
        if (Programs.find("psql").isEmpty()) {
            report.say("  psql is not installed: nothing is measured");
            return;
        }
        PgNode node = lab.database(1, "gateway_copy");
        int rows = lab.size().count(ROWS, 1);
        Path file = Files.createTempFile("ddlrep-copy", ".txt");
        try (GatewayServer gateway = GatewayRelay.gateway(node)) {
            write(file, rows);
            node.execute("CREATE UNLOGGED TABLE sink (v text)");
            Optional<PgBouncer> peer = PgBouncer.start(node);
            try {
                PgNode ours = node.at("127.0.0.1", gateway.address().getPort());
                for (boolean in : new boolean[] {false, true}) {
                    compare(lab, report, new Way(in, file, rows), ours, peer, node);
                }
            } finally {
                peer.ifPresent(PgBouncer::close);
            }
        } finally {
            Files.delete(file);
            lab.drop(node);
        }
    }

    private static void write(Path file, int rows) throws IOException {
        String row = "x".repeat(ROW_BYTES - 1);
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            for (int i = 0; i < rows; i++) {
                out.write(row);
                out.write('\n');
            }
        }
    }

    /** What is copied, and where to. */
    private record Way(boolean in, Path file, int rows) {
        double megabytes() {
            return (double) rows * ROW_BYTES / (1 << 20);
        }
    }

    private void compare(Lab lab, Report report, Way way, PgNode through, Optional<PgBouncer> peer, PgNode direct)
            throws SQLException, IOException, InterruptedException {
        Samples ours = new Samples();
        Samples theirs = new Samples();
        Samples none = new Samples();
        for (int round = 0; round < lab.size().rounds(ROUNDS); round++) {
            ours.add(speed(way, through, direct));
            if (peer.isPresent()) {
                theirs.add(speed(way, peer.get().node(), direct));
            }
            none.add(speed(way, direct, direct));
        }
        report.add(new Figure(
                name(),
                String.format(
                        Locale.ROOT, "COPY of %.0f MB %s / PgBouncer, MB/s", way.megabytes(), way.in() ? "in" : "out"),
                ours.median(),
                peer.isEmpty() ? Figure.ALONE : theirs.median(),
                Goal.NONE,
                "direct " + Samples.number(none.median()) + "; " + ours.spread()));
    }

    /** Megabytes a second, of psql from its start to its end. */
    private static double speed(Way way, PgNode through, PgNode direct)
            throws SQLException, IOException, InterruptedException {
        direct.execute("TRUNCATE sink");
        String sql = way.in()
                ? "COPY sink FROM STDIN"
                : "COPY (SELECT repeat('x', " + (ROW_BYTES - 1) + ") FROM generate_series(1, " + way.rows()
                        + ")) TO STDOUT";
        ProcessBuilder psql = GatewayRelay.program(
                through,
                List.of(
                        Programs.find("psql").orElseThrow().toString(),
                        "-X",
                        "-q",
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-c",
                        sql));
        psql.redirectInput(way.in() ? way.file().toFile() : new File("/dev/null"));
        psql.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        psql.redirectError(ProcessBuilder.Redirect.INHERIT);
        long start = System.nanoTime();
        if (psql.start().waitFor() != 0) {
            throw new IOException("psql failed: " + sql);
        }
        return way.megabytes() / ((System.nanoTime() - start) / 1e9);
    }
}
