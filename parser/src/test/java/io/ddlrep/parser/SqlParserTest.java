package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlParserTest {
    private static final ParserOptions BACKSLASHES = new ParserOptions(false);

    private static Statement.Ddl ddl(String sql, ParserOptions options) {
        return (Statement.Ddl) SqlParser.parse(sql, options).get(0);
    }

    @Test
    void white_space_and_comments_alone_are_no_statement() {
        assertThat(SqlParser.parse("", ParserOptions.DEFAULT)).isEmpty();
        assertThat(SqlParser.parse(" ;; -- x\n /* ; */ ;", ParserOptions.DEFAULT))
                .isEmpty();
    }

    @Test
    void strings_are_read_as_the_session_reads_them() {
        String sql = "select 'a\\'; drop table t; --'";
        assertThat(SqlParser.parse(sql, ParserOptions.DEFAULT)).hasSize(2);
        assertThat(SqlParser.parse(sql, BACKSLASHES)).hasSize(1);
        assertThat(ddl("alter table t alter a set default 'x\\' || f(' || g()", BACKSLASHES)
                        .expressions()
                        .get(0)
                        .functions())
                .containsExactly("g");
    }

    @Test
    void expressions_tell_where_they_stand_in_the_statement() {
        String sql = "/* é */ ALTER TABLE t ADD \"ü\" text DEFAULT 'ö' || f(), ADD b text DEFAULT '€' NOT NULL";
        Statement.Ddl statement = ddl(sql, ParserOptions.DEFAULT);
        byte[] bytes = statement.text().getBytes(StandardCharsets.UTF_8);

        assertThat(statement.expressions()).extracting(Expression::text).containsExactly("'ö' || f()", "'€'");
        for (Expression expression : statement.expressions()) {
            SourceSpan span = expression.span();
            assertThat(statement.text().substring(span.start(), span.end())).isEqualTo(expression.text());
            assertThat(new String(Arrays.copyOfRange(bytes, span.byteStart(), span.byteEnd()), StandardCharsets.UTF_8))
                    .isEqualTo(expression.text());
        }
    }

    @Test
    void an_unfinished_statement_is_never_complete() {
        assertThat(ddl("CREATE TABLE t (a text DEFAULT 'x", ParserOptions.DEFAULT)
                        .complete())
                .isFalse();
        assertThat(ddl("CREATE TABLE t (a text) /* x", ParserOptions.DEFAULT).complete())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select %s",
                "create view v as select * from %s",
                "create table t (a int default %s)",
                "alter table t add check %s",
                "create rule r as on insert to t do %s",
                "with x as %s",
                "%s"
            })
    void deep_nesting_neither_throws_nor_takes_long(String pattern) {
        List<String> nests =
                List.of("(".repeat(20_000) + "1" + ")".repeat(20_000), "(with x as ".repeat(5_000), "[".repeat(20_000));
        for (String nest : nests) {
            Assertions.assertTimeout(
                    Duration.ofSeconds(20),
                    () -> assertThat(SqlParser.parse(pattern.replace("%s", nest), ParserOptions.DEFAULT))
                            .hasSize(1));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DROP FUNCTION f(int, text) | int;text",
                "DROP FUNCTION f(a int, OUT b text, INOUT c s.t[]) | int;s.t[]",
                "DROP PROCEDURE p(a int, OUT b text) | int;text",
                "DROP FUNCTION f(double precision, x character varying, timestamp with time zone) |"
                        + " double precision;character varying;timestamp with time zone",
                "CREATE FUNCTION f(a int DEFAULT g(1, 2), b \"My T\" = 'x', VARIADIC c text[]) RETURNS int AS '' |"
                        + " int;\"My T\";text[]",
                "DROP AGGREGATE a(*) | ''",
                "DROP AGGREGATE a(int ORDER BY s.t) | int;s.t",
                "DROP CAST (s.a AS int) | s.a;int",
                "DROP FUNCTION f | ''"
            })
    void a_signature_is_a_list_of_types(String sql, String types) {
        Statement.Ddl ddl =
                (Statement.Ddl) SqlParser.parse(sql, ParserOptions.DEFAULT).get(0);

        assertThat(String.join(";", ddl.objects().get(0).argumentTypes())).isEqualTo(types);
    }
}
