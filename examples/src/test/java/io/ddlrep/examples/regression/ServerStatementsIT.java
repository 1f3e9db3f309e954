package io.ddlrep.examples.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.examples.regression.ScriptComparison.Difference;
import io.ddlrep.examples.regression.ScriptComparison.Subject;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.junit.Programs;
import io.ddlrep.testkit.junit.RequiresProgram;
import io.ddlrep.testkit.junit.Skip;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PostgreSQL's own regression scripts, run by psql on a server of their version: what psql sends is what the parser finds in
 * the script, statement for statement, and the server's command tags and its own judgement of what DDL is are those of the
 * parser. {@code target/server-statements-MAJOR.txt} has what differs, with the reasons that are known.
 *
 * <p>The scripts stand beside the project, not in it; without them the test is skipped.
 */
@Tag("long")
@RequiresProgram("psql")
class ServerStatementsIT {
    private static final int LIMIT_SECONDS = 240;

    /** What differs and why. */
    private static final List<Known> KNOWN = List.of(
            new Known(
                    "select_into",
                    Subject.DDL,
                    "FROM (SELECT 1 INTO f)",
                    "INTO below the top of a query is DDL here, too carefully: the server refuses it"),
            new Known(
                    "psql",
                    Subject.NOT_SENT,
                    "bogus;",
                    "an empty query is psql's previous one for \\gdesc; the parser leaves it out, as the server has nothing to run"));

    /** A difference that is understood, by a part of the statement's text. */
    private record Known(String script, Subject subject, String part, String reason) {
        boolean explains(Difference difference) {
            return difference.file().equals(script)
                    && difference.subject() == subject
                    && difference.text().contains(part);
        }
    }

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {15, 17, 18})
    void the_server_sees_what_the_parser_sees(int major) throws SQLException, IOException, InterruptedException {
        Path scripts = Path.of(System.getProperty("ddlrep.root", ".."), "../shared/corpus/pgregress-" + major);
        Skip.unless(Files.isDirectory(scripts), "no " + scripts);
        Skip.unless(Integer.getInteger("ddlrep.regression.major", major) == major, "another version is asked for");
        List<Difference> differences = new ArrayList<>();
        List<String> odd = new ArrayList<>();
        int statements = 0;
        try (PgGroup group = PgGroup.dedicated("regression", List.of(ServerLog.options(major)));
                PsqlWire wire = new PsqlWire(group.node(1))) {
            group.node(1)
                    .execute(
                            "ALTER DATABASE regression SET bytea_output = 'hex'",
                            "ALTER DATABASE regression SET timezone_abbreviations = 'Default'");
            for (RegressionFiles.Script script : RegressionFiles.of(scripts)) {
                int logged = group.server(1).log().length();
                long began = System.nanoTime();
                boolean ended = psql(wire, script);
                List<Exchange> sent = wire.take();
                List<String> unfit = new ServerLog(group.server(1).log().substring(logged)).tell(sent);
                ScriptComparison comparison =
                        new ScriptComparison(script.name(), script.runnable(), variables(wire), sent);
                List<Difference> found = comparison.run();
                differences.addAll(found);
                unfit.forEach(line -> odd.add(script.name() + ": " + line));
                statements += comparison.statements();
                System.out.printf(
                        "%d %s%s: %d statements, %d differences, %d unfit in %.1f s%n",
                        major,
                        script.name(),
                        ended ? "" : " (cut)",
                        comparison.statements(),
                        found.size(),
                        unfit.size(),
                        (System.nanoTime() - began) / 1e9);
            }
        }
        List<String> unknown = new ArrayList<>(odd);
        List<String> lines = new ArrayList<>(odd);
        for (Difference difference : differences) {
            Optional<Known> known =
                    KNOWN.stream().filter(each -> each.explains(difference)).findFirst();
            lines.add(
                    difference + known.map(each -> "\t(" + each.reason() + ")").orElse(""));
            if (known.isEmpty()) {
                unknown.add(difference.toString());
            }
        }
        lines.add(statements + " statements compared");
        Files.write(Path.of("target/server-statements-" + major + ".txt"), lines, StandardCharsets.UTF_8);
        assertThat(unknown).as("see target/server-statements-%s.txt", major).isEmpty();
        assertThat(statements).as("statements compared").isPositive();
    }

    private static Map<String, String> variables(PsqlWire wire) {
        Map<String, String> variables = new HashMap<>(environment());
        variables.put("DBNAME", wire.node().database());
        variables.put("USER", wire.node().superuser());
        variables.put("LASTOID", "0");
        return variables;
    }

    /** What the scripts take from the environment, by the names that they give it. */
    private static Map<String, String> environment() {
        return Map.of(
                "abs_srcdir",
                "/nonexistent",
                "abs_builddir",
                "/nonexistent",
                "libdir",
                "/nonexistent",
                "dlsuffix",
                ".so");
    }

    /** False where it had to be ended. */
    private boolean psql(PsqlWire wire, RegressionFiles.Script script) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("script.sql"), script.runnable(), StandardCharsets.UTF_8);
        ProcessBuilder builder = new ProcessBuilder(
                        Programs.find("psql").orElseThrow().toString(), "-X", "-a", "-q", "-f", file.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(directory.resolve("output.txt").toFile());
        Map<String, String> environment = builder.environment();
        environment.putAll(wire.node().environment());
        environment.putAll(Map.of("PGSSLMODE", "disable", "PGGSSENCMODE", "disable", "PGCLIENTENCODING", "UTF8"));
        environment.putAll(Map.of("PGTZ", "PST8PDT", "PGDATESTYLE", "Postgres, MDY", "LC_ALL", "C"));
        environment.put("PGOPTIONS", "-c intervalstyle=postgres_verbose -c lc_messages=C");
        environment().forEach((name, value) -> environment.put("PG_" + name.toUpperCase(Locale.ROOT), value));
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        return ended;
    }
}
