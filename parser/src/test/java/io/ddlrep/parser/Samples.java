package io.ddlrep.parser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** SQL to choose from at random. */
final class Samples {
    /** Pieces that mislead a scanner, alone or put together. */
    static final List<String> FRAGMENTS = List.of(
            "'",
            "''",
            "\"",
            "E'",
            "e'\\'",
            "U&'",
            "U&\"",
            "u&",
            "B'01'",
            "X'1f'",
            "N'x'",
            "$$",
            "$a$",
            "$a",
            "$1",
            "$",
            "a$b$",
            "\\",
            "--",
            "-- x\n",
            "/*",
            "*/",
            "/* x */",
            "/",
            "*",
            "-",
            "+",
            "@",
            "@-",
            "<=",
            "::",
            ":=",
            "..",
            ".",
            "1",
            "1.",
            ".5",
            "1e5",
            "1e",
            "0x1F",
            "0x",
            "1_0",
            "_",
            ";",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ",",
            " ",
            "\n",
            "\t",
            "\u000b",
            "\u00a0",
            "ü",
            "😀",
            "\ud83d",
            "€",
            "begin",
            "atomic",
            "end",
            "case",
            "create",
            "or replace",
            "function",
            "procedure",
            "f()",
            "rule",
            "table t",
            "select",
            "into",
            "insert",
            "with",
            "as",
            "alter",
            "drop",
            "set",
            "standard_conforming_strings",
            "= off",
            "to on",
            "uescape '!'",
            "?",
            "commit",
            "explain",
            "analyze",
            "from",
            "values",
            "default",
            "check",
            "references",
            "add column",
            "using",
            "on");

    private Samples() {}

    /** Every statement of the golden corpus that stands for itself. */
    static List<String> statements() {
        List<String> statements = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/corpus"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".sql"))
                    .sorted()
                    .toList()) {
                String sql = Files.readString(file, StandardCharsets.UTF_8);
                for (Statement statement : SqlParser.parse(sql, ParserOptions.DEFAULT)) {
                    if (standsAlone(statement.text())) {
                        statements.add(statement.text());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return statements;
    }

    /** Neither unfinished nor one that changes how the next is read. */
    private static boolean standsAlone(String text) {
        List<Statement> more = SqlParser.parse(text + ";select 1", ParserOptions.DEFAULT);
        return more.size() == 2 && more.get(0).text().equals(text) && !text.contains("standard_conforming_strings");
    }

    static String fragments(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            text.append(Seeded.pick(random, FRAGMENTS)).append(random.nextInt(3) == 0 ? "" : " ");
        }
        return text.toString();
    }
}
