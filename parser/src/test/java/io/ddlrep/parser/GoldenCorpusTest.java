package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every {@code corpus/*.sql} beside its {@code .expected}. {@code -Dgolden.update=true} writes the expected files; the
 * diff is then the review.
 */
class GoldenCorpusTest {
    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".sql"))
                    .map(name -> name.substring(0, name.length() - 4))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void every_statement_reads_as_expected(String name) throws IOException {
        String sql = Files.readString(CORPUS.resolve(name + ".sql"), StandardCharsets.UTF_8);
        String actual = StatementPrinter.print(SqlParser.parse(sql, ParserOptions.DEFAULT), name.equals("splitting"));
        Path expected = CORPUS.resolve(name + ".expected");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(expected, actual, StandardCharsets.UTF_8);
        }
        assertThat(expected).exists();
        assertThat(actual).isEqualTo(Files.readString(expected, StandardCharsets.UTF_8));
    }
}
