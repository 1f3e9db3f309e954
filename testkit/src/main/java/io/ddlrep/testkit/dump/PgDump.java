package io.ddlrep.testkit.dump;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.TestkitException;
import io.ddlrep.testkit.junit.Programs;
import io.ddlrep.testkit.junit.Skip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A second opinion beside {@link CatalogDump}: the schema as the machine's own {@code pg_dump} writes it. It serves
 * servers up to its own major; a test that needs more is skipped visibly. Stateless.
 */
public final class PgDump {

    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");
    private static final Pattern OWN_TRIGGER =
            Pattern.compile("(?m)^(CREATE|ALTER TABLE .* (ENABLE|DISABLE)).* TRIGGER \"?!?ddlrep[^;]*;\n?");
    // Comments name versions; \restrict carries a random word.
    private static final Pattern NOISE =
            Pattern.compile("(?m)^(--.*|\\\\(un)?restrict.*|SET .*|SELECT pg_catalog.*)?\n");
    private static final int NEWEST = 18;
    private static final int OLDEST = 14;

    private PgDump() {}

    /** The node's schema without data, ddlrep's schemas and triggers; skips the test when no pg_dump can write it. */
    public static String schema(PgNode node) throws SQLException {
        int major = Integer.parseInt(Objects.requireNonNull(node.queryText("SHOW server_version_num"))) / 10_000;
        Optional<Path> program = program(major);
        Skip.unless(program.isPresent(), "no pg_dump of major " + major + " or later on this machine");
        List<String> command = new ArrayList<>();
        command.add(program.orElseThrow().toString());
        command.addAll(List.of("--schema-only", "--exclude-schema=ddlrep*", "--dbname=" + node.conninfo()));
        String dump = run(command);
        return NOISE.matcher(OWN_TRIGGER.matcher(dump).replaceAll("")).replaceAll("");
    }

    /** The newest major of servers that {@link #schema} can dump here; empty without any pg_dump. */
    public static OptionalInt newestMajor() {
        return IntStream.rangeClosed(OLDEST, NEWEST)
                .filter(major -> program(major).isPresent())
                .max();
    }

    /** The pg_dump with the lowest major that serves the server's. */
    private static Optional<Path> program(int serverMajor) {
        Optional<Path> ofMajor = IntStream.rangeClosed(Math.max(serverMajor, OLDEST), NEWEST)
                .mapToObj(major -> Path.of("/usr/lib/postgresql/" + major + "/bin/pg_dump"))
                .filter(Files::isExecutable)
                .findFirst();
        return ofMajor.or(() -> Programs.find("pg_dump").filter(program -> major(program) >= serverMajor));
    }

    private static int major(Path program) {
        Matcher version = VERSION.matcher(run(List.of(program.toString(), "--version")));
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }

    private static String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output;
            try (InputStream stream = process.getInputStream()) {
                output = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
            if (process.waitFor() != 0) {
                throw new TestkitException(command.get(0) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new TestkitException("cannot run " + command.get(0), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while pg_dump runs", e);
        }
    }

    /** Statements of a dump, sorted: pg_dump orders some of them by OID. */
    public static List<String> statements(String dump) {
        return Arrays.stream(dump.split(";\n", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .sorted()
                .toList();
    }
}
