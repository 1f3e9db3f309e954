package io.ddlrep.parser.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.Corpus;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything that the parser tells of a DDL statement, held against the tree of PostgreSQL's own grammar: over the texts of
 * these tests and, where they stand beside the project, the regression suites and real migrations. Needs Node.js and a
 * directory with libpg_query; CONTRIBUTING tells how.
 */
@Tag("long")
class GrammarIT {
    /** What is seen at run time, and what the grammar reads as another statement around it. */
    private static final Set<String> OTHER_TAGS = Set.of("DO", "EXPLAIN");

    /** Where the two differ on purpose. */
    private static final Set<String> KNOWN = Set.of(
            // the name of a type as it is written; the grammar knows it by its name in the catalogs
            "missed CREATED TRANSFORM \"pg_catalog\".\"int4\"",
            "more CREATED TRANSFORM \"int\"",
            // SELECT * FROM (SELECT 1 INTO f) bar: the server refuses it only later
            "more CREATED TABLE \"f\"");

    private final Figures figures = new Figures();
    private final Set<String> done = new HashSet<>();
    private final List<String> differences = new ArrayList<>();

    @Test
    void facts_are_those_of_the_tree() throws IOException {
        String directory = System.getProperty("ddlrep.grammar");
        assumeTrue(directory != null, "no -Dddlrep.grammar=DIR, a directory with libpg_query");
        try (Grammar grammar = new Grammar(Path.of(directory, "node_modules", "libpg-query"))) {
            for (String script : ownScripts()) {
                compare(script, grammar);
            }
            for (String script : Corpus.found() ? Corpus.scripts() : List.<String>of()) {
                compare(script, grammar);
            }
        }
        Files.writeString(Path.of("target", "grammar.txt"), figures + "\n" + String.join("\n", differences) + "\n");
        assertThat(differences).isEmpty();
        assertThat(figures.of("statements")).isGreaterThan(Corpus.found() ? 17_000 : 500);
        assertThat(figures.of("refused by the grammar")).isLessThan(figures.of("statements") / 50);
    }

    private static List<String> ownScripts() throws IOException {
        List<String> scripts = new ArrayList<>();
        for (String directory : List.of("corpus", "executable")) {
            try (Stream<Path> files = Files.list(Path.of("src/test/resources", directory))) {
                for (Path file : files.filter(path -> path.toString().endsWith(".sql"))
                        .sorted()
                        .toList()) {
                    scripts.add(Files.readString(file, StandardCharsets.UTF_8));
                }
            }
        }
        return scripts;
    }

    private void compare(String script, Grammar grammar) throws IOException {
        for (Statement statement : SqlParser.parse(script, ParserOptions.DEFAULT)) {
            if (statement instanceof Statement.Ddl ddl && !OTHER_TAGS.contains(ddl.tag()) && done.add(ddl.text())) {
                compare(ddl, grammar);
            }
        }
    }

    private void compare(Statement.Ddl ddl, Grammar grammar) throws IOException {
        figures.add("statements", 1);
        JsonNode tree = grammar.parse(ddl.text());
        if (tree.has("error")) {
            figures.add("refused by the grammar", 1);
            return;
        }
        figures.add(ddl.complete() ? "complete" : "incomplete", 1);
        JsonNode statement = tree.path("stmts").path(0).path("stmt");
        String kind = statement.fieldNames().next();
        Comparison comparison = new Comparison(ddl, kind, statement.path(kind), grammar);
        List<String> found = new ArrayList<>(comparison.differences());
        comparison.count(figures);
        int all = found.size();
        found.removeAll(KNOWN);
        figures.add("known differences", all - found.size());
        if (!found.isEmpty()) {
            differences.add(kind + ": " + ddl.text() + "\n    " + String.join("\n    ", found));
        }
    }
}
