package io.ddlrep.examples.regression;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    private RegressionFiles() {}

    /** A script. */
    record Script(String name, String text) {}

    static List<Script> of(Path folder) throws IOException {
        List<Script> scripts = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".sql")).toList()) {
                String name = file.getFileName().toString();
                // Some were taken from another project's folders, with the names of these before theirs.
                name = name.substring(name.lastIndexOf("suite_") < 0 ? 0 : name.lastIndexOf("suite_") + 6);
                String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
                scripts.add(new Script(name.replace(".sql", ""), runnable(text)));
            }
        }
        scripts.sort(
                Comparator.comparing((Script script) -> rank(script.name())).thenComparing(Script::name));
        String chosen = System.getProperty("ddlrep.regression.files", "");
        Set<String> names = Set.of(chosen.split(",", -1));
        return chosen.isEmpty()
                ? scripts
                : scripts.stream()
                        .filter(script -> names.contains(script.name()))
                        .toList();
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
