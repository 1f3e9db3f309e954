package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs over PostgreSQL's regression suites and real migrations, where they stand beside the project. */
class CorpusTest {
    /** Measured: psql variables, text that is no SQL, and commands that PostgreSQL does not know either. */
    private static final int UNKNOWN = 85;

    /** Measured: DDL that is incomplete by its nature (a bare VACUUM names no table), or that PostgreSQL refuses. */
    private static final int INCOMPLETE = 479;

    @Test
    void every_statement_is_read_and_the_fast_path_agrees() {
        List<String> unknown = new ArrayList<>();
        List<String> incomplete = new ArrayList<>();
        int count = 0;
        for (String script : Corpus.scripts()) {
            for (Statement statement : SqlParser.parse(script, ParserOptions.DEFAULT)) {
                count++;
                FastPathTest.check(statement.text());
                if (statement.kind() == StatementKind.UNCLASSIFIED) {
                    unknown.add(statement.text());
                } else if (statement instanceof Statement.Ddl ddl
                        && !ddl.complete()
                        && !Set.of("DO", "EXPLAIN").contains(ddl.tag())) {
                    incomplete.add(statement.text());
                }
            }
        }
        assertThat(count).isGreaterThan(100_000);
        assertThat(unknown).hasSizeLessThanOrEqualTo(UNKNOWN);
        assertThat(incomplete).hasSizeLessThanOrEqualTo(INCOMPLETE);
    }
}
