package io.ddlrep.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.junit.Programs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Whether every benchmark runs and prints numbers; never how fast. */
class BenchmarksIT {
    private static final String NUMBER = "-?[0-9]+(\\.[0-9]+)?";

    @Test
    void every_benchmark_prints_its_rows() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

        int code = new CommandLine(new Benchmarks(out)).execute("--scale", "0.001", "--rounds", "1", "--profile");

        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(text).doesNotContain("FAILED");
        assertThat(code).as(text).isZero();
        List<String[]> rows = text.lines()
                .filter(line -> line.contains(" | ") && !line.startsWith("benchmark "))
                .map(line -> line.split(" *\\| *", -1))
                .toList();
        int ddlRows = Programs.find("psql").isPresent() ? 3 : 2;
        int gatewayRows = Programs.find("pgbench").isPresent() ? 6 + 2 + 2 : 0;
        int copyRows = Programs.find("psql").isPresent() ? 2 : 0;
        assertThat(rows).as(text).hasSize(ddlRows + 3 + 12 + 4 + 3 + 2 + 12 + gatewayRows + copyRows);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row[2].strip()).matches(NUMBER);
            assertThat(row[3].strip()).matches(NUMBER + "|-");
            assertThat(row[4].strip()).matches(NUMBER + "|-");
        });
        assertThat(text).contains("profile of ADD COLUMN").contains("COMMIT PREPARED");
    }

    @Test
    void an_unknown_benchmark_is_refused() {
        StringWriter errors = new StringWriter();

        int code = new CommandLine(new Benchmarks())
                .setErr(new PrintWriter(errors, true))
                .execute("--only", "luck");

        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("luck").contains("ddl-latency");
    }
}
