package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SplittingPropertyTest {
    private static final List<String> SEPARATORS =
            List.of(";", " ; ", ";;", "; -- it's; \n", "/* ; ' */;", "\n;\n", ";/* /* ; */ ; */", " ;\t; ");

    private final List<String> statements = Samples.statements();

    @Test
    void joined_statements_split_back_to_themselves() {
        Seeded.run(5_000, random -> {
            List<String> chosen = new ArrayList<>();
            StringBuilder script = new StringBuilder(random.nextBoolean() ? "" : " -- first\n");
            int count = 1 + random.nextInt(8);
            for (int i = 0; i < count; i++) {
                String statement = Seeded.pick(random, statements);
                chosen.add(statement);
                script.append(statement).append(Seeded.pick(random, SEPARATORS));
            }
            assertThat(SqlParser.parse(script.toString(), ParserOptions.DEFAULT))
                    .extracting(Statement::text)
                    .containsExactlyElementsOf(chosen);
        });
    }

    @Test
    void a_statement_reads_the_same_alone_and_in_a_script() {
        Seeded.run(2_000, random -> {
            String before = Seeded.pick(random, statements);
            String text = Seeded.pick(random, statements);
            String script = before + " ; é " + Seeded.pick(random, SEPARATORS) + text;
            List<Statement> parsed = SqlParser.parse(script, ParserOptions.DEFAULT);
            assertThat(StatementPrinter.print(parsed.subList(2, 3), false))
                    .isEqualTo(StatementPrinter.print(SqlParser.parse(text, ParserOptions.DEFAULT), false));
        });
    }

    @Test
    void no_byte_is_lost_in_any_text() {
        Seeded.run(20_000, random -> noByteIsLost(Samples.fragments(random), new ParserOptions(random.nextBoolean())));
    }

    /** Statements stand in order, and between them nothing but separators. */
    static void noByteIsLost(String text, ParserOptions options) {
        int end = 0;
        int byteEnd = 0;
        for (Statement statement : SqlParser.parse(text, options)) {
            SourceSpan span = statement.span();
            String gap = text.substring(end, span.start());
            assertThat(isSeparator(gap)).as("gap <%s> in <%s>", gap, text).isTrue();
            assertThat(span.byteStart()).isEqualTo(byteEnd + bytes(gap));
            assertThat(statement.text()).isEqualTo(text.substring(span.start(), span.end()));
            assertThat(span.byteEnd()).isEqualTo(span.byteStart() + bytes(statement.text()));
            end = span.end();
            byteEnd = span.byteEnd();
        }
        assertThat(isSeparator(text.substring(end))).as("rest of <%s>", text).isTrue();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Nothing but white space, comments and semicolons. */
    private static boolean isSeparator(String gap) {
        SqlLexer lexer = new SqlLexer(gap, ParserOptions.DEFAULT);
        while (lexer.next() != TokenType.END) {
            if (!lexer.isSymbol(';')) {
                return false;
            }
        }
        return true;
    }
}
