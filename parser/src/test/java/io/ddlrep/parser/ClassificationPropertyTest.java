package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClassificationPropertyTest {
    private static final List<String> BLANKS =
            List.of(" ", "  ", "\n", "\t", " /* ; ' */ ", " /* a /* b */ */", " -- it's ; \n", "\r\n", "\f");

    private final List<String> statements = Samples.statements();

    @Test
    void comments_case_and_white_space_between_tokens_change_nothing() {
        Seeded.run(10_000, random -> {
            String text = Seeded.pick(random, statements);
            String mutated = mutate(text, random);
            assertThat(essence(mutated)).as(mutated).isEqualTo(essence(text));
        });
    }

    @Test
    void fast_path_agrees_with_the_parser_on_statements_however_written() {
        Seeded.run(10_000, random -> FastPathTest.check(mutate(Seeded.pick(random, statements), random)));
    }

    private static String mutate(String text, SplittableRandom random) {
        StringBuilder mutated = new StringBuilder();
        SqlLexer lexer = new SqlLexer(text, ParserOptions.DEFAULT);
        int behind = 0;
        TokenType before = TokenType.END;
        while (lexer.next() != TokenType.END) {
            boolean gap = behind < lexer.start();
            boolean strings = lexer.type() == TokenType.STRING && before != TokenType.WORD;
            if (!strings && (gap || random.nextInt(4) == 0)) {
                mutated.append(Seeded.pick(random, BLANKS));
            } else if (gap) {
                mutated.append(text.substring(behind, lexer.start()));
            }
            String token = text.substring(lexer.start(), lexer.end());
            mutated.append(lexer.type() == TokenType.WORD ? recase(token, random) : token);
            behind = lexer.end();
            before = lexer.type();
        }
        return mutated.toString();
    }

    private static String recase(String word, SplittableRandom random) {
        boolean ascii = word.chars().allMatch(c -> c < 128);
        return switch (random.nextInt(3)) {
            case 0 -> ascii ? word.toUpperCase(Locale.ROOT) : word;
            case 1 -> ascii ? word.toLowerCase(Locale.ROOT) : word;
            default -> word;
        };
    }

    /** What must not depend on how a statement is written: everything but texts of signatures and expressions. */
    private static String essence(String sql) {
        StringBuilder essence = new StringBuilder();
        for (Statement statement : SqlParser.parse(sql, ParserOptions.DEFAULT)) {
            essence.append(statement.kind()).append(' ').append(statement.tag());
            if (statement instanceof Statement.Ddl ddl) {
                essence.append(ddl.transactability()).append(ddl.facts()).append(ddl.complete());
                ddl.objects().stream()
                        .filter(ref -> ref.kind() != ObjectKind.CAST)
                        .forEach(ref -> essence.append('\n')
                                .append(ref.role())
                                .append(ref.kind())
                                .append(ref.name().quoted())
                                .append(ref.owner()));
                ddl.expressions()
                        .forEach(expression -> essence.append('\n')
                                .append(expression.place())
                                .append(expression.column())
                                .append(expression.functions()));
            } else if (statement instanceof Statement.TransactionControl control) {
                essence.append(control.verb()).append(control.savepoint()).append(control.chain());
            }
        }
        return essence.toString();
    }
}
