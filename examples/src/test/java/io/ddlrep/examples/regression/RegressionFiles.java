package io.ddlrep.examples.regression;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The regression scripts of a folder, in an order in which they can run. Stateless. */
final class RegressionFiles {
    /** Others use what these make. */
    static final List<String> FIRST = List.of(
            "test_setup",
            "create_function_c",
            "create_misc",
            "create_operator",
            "create_procedure",
            "create_table",
            "create_type",
            "create_schema",
            "create_index",
            "create_view",
            "create_aggregate",
            "create_function_sql",
            "create_cast",
            "constraints",
            "triggers",
            "inherit",
            "typed_table");

    /** Its login trigger writes to a table, which no replica allows: nobody could log in there any more. */
    private static final String EXCLUDED = "event_trigger_login";

    private RegressionFiles() {}

    /**
     * A script.
     *
     * @param name without the end of the file's name
     * @param path its file
     */
    record Script(String name, Path path) {
        /** As it stands in the file. */
        String text() throws IOException {
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        }

        /** As psql of the lab's version runs it. */
        String runnable() throws IOException {
            return RegressionFiles.runnable(text());
        }
    }

    /** Those of {@link #of} that a group can run. */
    static List<Script> forGroup(Path folder) throws IOException {
        return of(folder).stream()
                .filter(script -> !script.name().equals(EXCLUDED))
                .toList();
    }

    /** All scripts, or those that {@code -Dddlrep.regression.files} names. */
    static List<Script> of(Path folder) throws IOException {
        Set<String> chosen =
                Set.of(System.getProperty("ddlrep.regression.files", "").split(",", -1));
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".sql"))
                    .map(file -> new Script(name(file), file))
                    .filter(script -> chosen.contains("") || chosen.contains(script.name()))
                    .sorted(Comparator.comparing((Script script) -> rank(script.name()))
                            .thenComparing(Script::name))
                    .toList();
        }
    }

    /** Some were taken from another project's folders, with the names of these before theirs. */
    private static String name(Path file) {
        String name = file.getFileName().toString().replace(".sql", "");
        int suite = name.lastIndexOf("suite_");
        return suite < 0 ? name : name.substring(suite + "suite_".length());
    }

    /**
     * With an end of the data behind each COPY where a collection has left the data out, and without what older versions of
     * psql do not know: how often to repeat, and parameters.
     */
    private static String runnable(String text) {
        String known = text.replaceAll("\\\\watch[^\n]*", "\\\\g").replaceAll("\\\\bind[^\\\\\n]*\\\\g", "\\\\g");
        return known.contains("\n\\.\n")
                ? known
                : known.replaceAll("(?im)^(copy\\b[^\n]*\\bfrom\\s+stdin\\b[^\n]*;)[ \t]*\n", "$1\n\\\\.\n");
    }

    private static int rank(String name) {
        int index = FIRST.indexOf(name);
        return index < 0 ? FIRST.size() : index;
    }
}
