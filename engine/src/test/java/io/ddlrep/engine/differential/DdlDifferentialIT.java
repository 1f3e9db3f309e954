package io.ddlrep.engine.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.server.PgBinaries;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs DDL on a real server and compares tags, objects, types and locks with what the parser says. */
class DdlDifferentialIT {
    private static final Path CORPUS =
            Path.of(System.getProperty("ddlrep.root", ".."), "parser/src/test/resources/executable");

    /** Every statement of these files succeeds; a file runs on the versions that it is of. */
    @ParameterizedTest
    @ValueSource(strings = {"core", "since-15", "since-16", "since-17", "since-18"})
    void what_the_parser_says_is_what_the_server_does(String name) throws Exception {
        boolean any = name.equals("core");
        int major = any
                ? PgBinaries.defaultMajor()
                : Math.max(Integer.parseInt(name.substring(6)), PgBinaries.defaultMajor());
        String script = Files.readString(CORPUS.resolve(name + ".sql"), StandardCharsets.UTF_8);
        List<String> differences = new ArrayList<>();
        int compared = 0;
        try (PgGroup group = PgGroup.create("ddl", 1, major);
                DdlProbe probe = DdlProbe.on(group.node(1))) {
            for (Statement statement : SqlParser.parse(script, ParserOptions.DEFAULT)) {
                try {
                    if (statement instanceof Statement.Ddl ddl) {
                        Differences.of(ddl, probe.run(ddl))
                                .forEach(line -> differences.add(ddl.text() + "\n    " + line));
                        compared++;
                    } else {
                        probe.execute(statement.text());
                    }
                } catch (SQLException e) {
                    differences.add(statement.text() + "\n    fails: " + e.getMessage());
                }
            }
        }
        assertThat(compared).isGreaterThan(any ? 200 : 3);
        assertThat(differences).isEmpty();
    }
}
