package io.ddlrep.examples.regression;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs scripts by psql on two databases, and compares what it prints and what the nodes of a group hold. Used by one thread. */
final class PsqlComparison implements AutoCloseable {
    private static final long LIMIT_MINUTES = 6;

    /** How ddlrep's own errors begin. */
    private static final Pattern OWN = Pattern.compile("ERROR:  ddlrep: ");

    /** What \d tells of ddlrep's triggers, with their heading where there are no others below it. */
    private static final Pattern OWN_TRIGGERS = Pattern.compile("(?m)^(Triggers:\\n(    \"!ddlrep_.*\\n)+(?!    )"
            + "|(Triggers firing always|Disabled user triggers):\\n(    \"!ddlrep_.*\\n)+|    \"!ddlrep_.*\\n)");

    /** A line of output that only the gateway's side has, and that is about an object of ddlrep's. */
    private static final Pattern OWN_OBJECT = Pattern.compile("\\+.*\\bddlrep_?.*");

    private static final Pattern ERROR = Pattern.compile("\\+(psql:.*: )?(ERROR|FATAL|PANIC):.*");

    private final PgNode lone;
    private final PgNode gateway;
    private final EmbeddedGroup group;
    private final Path output;
    private final List<Connection> watchers = new ArrayList<>();
    /** Differences that were there before, so that each is told once. */
    private final Set<String> known = new TreeSet<>();

    /** How psql's output through the gateway is. */
    enum Kind {
        /** As without ddlrep. */
        EQUAL,
        /** As without ddlrep, but queries of the catalogs find objects of ddlrep's. */
        OWN_OBJECTS,
        /** Errors of ddlrep's that are not there without it, and what follows from them. */
        REFUSED,
        /** Other. */
        OTHER
    }

    /**
     * What came of a file.
     *
     * @param lines how many lines of output differ
     * @param errors that were met through the gateway only
     * @param nodes what differs between the nodes now and did not before
     */
    record Result(String file, Kind kind, int lines, List<String> errors, List<String> nodes, long millis) {
        String text() {
            return file + ": " + kind + (lines > 0 ? ", " + lines + " lines" : "") + " in " + millis + " ms"
                    + (errors.isEmpty() ? "" : "\n    " + String.join("\n    ", errors))
                    + (nodes.isEmpty() ? "" : "\n  NODES DIFFER\n    " + String.join("\n    ", nodes));
        }
    }

    PsqlComparison(PgNode lone, PgNode gateway, EmbeddedGroup group, Path output) throws SQLException, IOException {
        this.lone = lone;
        this.gateway = gateway;
        this.group = group;
        this.output = output;
        for (PgNode node : group.nodes()) {
            watchers.add(node.connect());
        }
        for (String folder : List.of("direct", "gateway", "diff")) {
            Files.createDirectories(output.resolve(folder));
        }
    }

    /** What pg_regress sets for its database. */
    static String[] settings(String database) {
        return List.of(
                        "lc_messages TO 'C'",
                        "lc_monetary TO 'C'",
                        "lc_numeric TO 'C'",
                        "lc_time TO 'C'",
                        "bytea_output TO 'hex'",
                        "timezone_abbreviations TO 'Default'")
                .stream()
                .map(setting -> "ALTER DATABASE " + database + " SET " + setting)
                .toArray(String[]::new);
    }

    Result run(RegressionFiles.Script script) throws IOException, InterruptedException, SQLException {
        String file = script.name();
        long began = System.nanoTime();
        Path direct = psql(lone, script.path(), output.resolve("direct").resolve(file + ".out"));
        Path through = psql(gateway, script.path(), output.resolve("gateway").resolve(file + ".out"));
        Path diff = output.resolve("diff").resolve(file + ".diff");
        wait(new ProcessBuilder("diff", "-U3", direct.toString(), through.toString()), diff);
        List<String> lines = Files.readAllLines(diff, StandardCharsets.ISO_8859_1);
        List<String> changed = lines.stream()
                .filter(l -> l.matches("(?s)[+-].*") && !l.startsWith("+++ ") && !l.startsWith("--- "))
                .toList();
        List<String> errors = changed.stream()
                .filter(l -> ERROR.matcher(l).matches())
                .map(l -> l.substring(1))
                .distinct()
                .toList();
        Kind kind = kind(changed, errors);
        return new Result(file, kind, changed.size(), errors, differences(), (System.nanoTime() - began) / 1_000_000);
    }

    private static Kind kind(List<String> changed, List<String> errors) {
        if (changed.isEmpty()) {
            return Kind.EQUAL;
        }
        if (errors.stream().anyMatch(e -> OWN.matcher(e).find())) {
            return Kind.REFUSED;
        }
        boolean finds = errors.isEmpty()
                && changed.stream().anyMatch(l -> OWN_OBJECT.matcher(l).matches());
        return finds ? Kind.OWN_OBJECTS : Kind.OTHER;
    }

    /** As pg_regress runs it. */
    private Path psql(PgNode node, Path script, Path to) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        "psql",
                        "-X",
                        "-a",
                        "-q",
                        "-d",
                        node.database(),
                        "-v",
                        "HIDE_TABLEAM=on",
                        "-v",
                        "HIDE_TOAST_COMPRESSION=on")
                .redirectInput(script.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        environment.putAll(node.environment());
        environment.put("LANG", "C");
        environment.put("PGTZ", "America/Los_Angeles");
        environment.put("PGDATESTYLE", "Postgres, MDY");
        environment.put("PGOPTIONS", "-c intervalstyle=postgres_verbose -c ddlrep.notices=off");
        environment.put("PG_ABS_SRCDIR", "/nonexistent");
        environment.put("PG_ABS_BUILDDIR", "/nonexistent");
        environment.put("PG_LIBDIR", "/nonexistent");
        environment.put("PG_DLSUFFIX", ".so");
        wait(builder, to);
        String text = Files.readString(to, StandardCharsets.ISO_8859_1);
        Files.writeString(to, OWN_TRIGGERS.matcher(text).replaceAll(""), StandardCharsets.ISO_8859_1);
        return to;
    }

    private static void wait(ProcessBuilder builder, Path to) throws IOException, InterruptedException {
        Process process =
                builder.redirectErrorStream(true).redirectOutput(to.toFile()).start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            Files.writeString(
                    to,
                    "ERROR:  ended after " + LIMIT_MINUTES + " minutes\n",
                    StandardCharsets.UTF_8,
                    java.nio.file.StandardOpenOption.APPEND);
        }
    }

    /** What differs between the nodes now and did not before, a line for each node. */
    private List<String> differences() throws SQLException {
        List<String> lines = new ArrayList<>();
        CatalogDump origin = CatalogDump.of(watchers.get(0));
        for (int i = 1; i < watchers.size(); i++) {
            String node = group.nodes().get(i).name() + ": ";
            origin.difference(CatalogDump.of(watchers.get(i))).stream()
                    .map(d -> node + d)
                    .filter(known::add)
                    .limit(4)
                    .forEach(lines::add);
        }
        return lines;
    }

    @Override
    public void close() throws SQLException {
        for (Connection watcher : watchers) {
            watcher.close();
        }
    }
}
