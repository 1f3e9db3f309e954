package io.ddlrep.examples.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.StatementKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DdlMatrixTest {
    private static final Set<StatementKind> CHANGING =
            EnumSet.of(StatementKind.DDL, StatementKind.DML, StatementKind.OPAQUE, StatementKind.COPY);
    private static final Path PAGE = Path.of("../docs/ddl-matrix.md");

    @Test
    void the_page_is_what_was_seen() throws IOException {
        List<MatrixFile> files = MatrixFile.all();
        assertThat(files.stream().flatMap(file -> file.forms().stream())).hasSizeGreaterThan(100);
        assertThat(files.stream()
                        .flatMap(file -> file.forms().stream())
                        .filter(form -> form.seen().isEmpty())
                        .map(Form::sql))
                .as("forms never seen: run DdlMatrixIT with -Dgolden.update=true")
                .isEmpty();
        String page = MatrixPage.of(files);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).hasContent(page);
    }

    static Stream<SqlCommand> changing() {
        return Stream.of(SqlCommand.values()).filter(command -> CHANGING.contains(command.kind()));
    }

    @ParameterizedTest
    @MethodSource("changing")
    void every_command_that_may_change_something_has_a_form(SqlCommand command) throws IOException {
        boolean ownTag = command.tag().equals(command.title());
        assertThat(MatrixFile.all().stream()
                        .flatMap(file -> file.forms().stream())
                        .flatMap(form -> SqlParser.parse(form.sql(), ParserOptions.DEFAULT).stream()))
                .anyMatch(statement -> ownTag
                        ? statement.tag().equals(command.tag())
                        : statement.text().startsWith(command.title()));
    }

    @Test
    void a_file_is_written_as_it_is_read() throws IOException {
        for (MatrixFile file : MatrixFile.all()) {
            String before = Files.readString(file.path());
            file.write();
            String after = Files.readString(file.path());
            Files.writeString(file.path(), before);
            assertThat(after).as(file.path().toString()).isEqualTo(before);
        }
    }
}
