package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SqlCommandTest {
    /** Their first words alone are another command, or need more behind them. */
    private static final EnumSet<SqlCommand> BY_MORE_THAN_THEIR_TITLE =
            EnumSet.of(SqlCommand.CREATE_TABLE_AS, SqlCommand.PREPARE_TRANSACTION);

    static Stream<SqlCommand> told_by_title() {
        return Stream.of(SqlCommand.values()).filter(command -> !BY_MORE_THAN_THEIR_TITLE.contains(command));
    }

    @Test
    void table_has_a_row_for_each_command_of_the_reference() throws IOException {
        List<String> reference =
                Files.readAllLines(Path.of("src/test/resources/postgresql-18-commands.txt"), StandardCharsets.UTF_8);
        List<String> rows = Stream.of(SqlCommand.values())
                .map(SqlCommand::title)
                .filter(title -> !title.equals("TABLE"))
                .toList();

        assertThat(rows).containsExactlyInAnyOrderElementsOf(reference);
    }

    @ParameterizedTest
    @MethodSource("told_by_title")
    void each_row_is_found_by_its_words(SqlCommand command) {
        Statement statement =
                SqlParser.parse(command.title() + " x", ParserOptions.DEFAULT).get(0);

        assertThat(statement.kind()).isEqualTo(command.kind());
        if (command != SqlCommand.DISCARD) {
            // without ON, GRANT and REVOKE are of roles
            assertThat(statement.tag()).startsWith(command.tag());
        }
    }

    @Test
    void merge_is_the_only_command_newer_than_14() {
        assertThat(SqlCommand.values())
                .filteredOn(command -> command.since() > 14)
                .containsExactly(SqlCommand.MERGE);
    }
}
