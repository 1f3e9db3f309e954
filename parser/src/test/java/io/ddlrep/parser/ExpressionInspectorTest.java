package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.ddlrep.parser.internal.Cursor;
import io.ddlrep.parser.internal.TokenList;
import io.ddlrep.parser.internal.expression.CallScan;
import io.ddlrep.parser.internal.expression.JSqlWalk;
import io.ddlrep.parser.internal.expression.PlainExpression;
import java.lang.management.ManagementFactory;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionInspectorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "now() | now",
                "s.\"F\"(1) | s.F",
                "CURRENT_TIMESTAMP | current_timestamp",
                "current_timestamp(3) | current_timestamp",
                "localtime | localtime",
                "'x'::varchar(10) | ",
                "CAST(a AS numeric(10, 2)) | ",
                "coalesce(a, nullif(b, 1)) | ",
                "extract(year FROM at) | extract",
                "(now() AT TIME ZONE 'utc') | now,timezone",
                "nextval('s'::regclass) | nextval",
                "a + b * 2 | ",
                "upper(lower(a)) | upper,lower",
                "a IN (1, 2) AND b BETWEEN 1 AND 2 | ",
                "row_number() OVER (PARTITION BY f(a)) | row_number,f",
                "user < session_user | user,session_user",
                "ARRAY[random(), 1] | random",
                "CASE WHEN a THEN f() ELSE g() END | f,g",
                "(SELECT max(x) FROM t) | max",
                "not valid @@@ here( | here"
            })
    void names_the_functions(String expression, String functions) {
        String found = String.join(",", ExpressionInspector.inspect(expression).functions());
        assertThat(found).isEqualTo(functions == null ? "" : functions);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "-1.5e3",
                "'x'",
                "NULL",
                "true",
                "current_timestamp",
                "now()",
                "- (+ 3)",
                "'{}'::jsonb",
                "'x'::character varying(10)",
                "('2026-01-01'::date)",
                "'1'::double precision",
                "'a'::public.\"Mood\"",
                "'{1,2}'::integer[]",
                "(random() * 1)::integer",
                "a + b",
                "'N-' || nextval('s')",
                "net >= 0 AND NOT (tax < - 1 OR tax IS NULL)",
                "x IS NOT NULL",
                "(a OR b) IS NOT TRUE",
                "a ->> 'k' = 'v' AND b @> '{}'::jsonb",
                "code ~ '^[A-Z]{3}$'",
                "round((price * 1.2)::numeric, 2) || s.f(now())",
                "nextval('s'::regclass)",
                "pg_catalog.timezone('utc'::text, now())",
                "md5(random()::text)",
                "s.\"F\"(a, 'b', g(c))",
                "'x'::timestamp(3) without time zone",
                "'x'::timestamp with time zone"
            })
    void a_plain_expression_is_read_as_jsqlparser_reads_it(String text) {
        TokenList tokens = TokenList.of(text, true);
        Set<String> casts = PlainExpression.casts(new Cursor(tokens, 0, tokens.size()));
        JSqlWalk tree = JSqlWalk.of(text);

        assertThat(casts).isNotNull();
        assertThat(tree).isNotNull();
        if (tree != null) {
            assertThat(tree.casts()).isEqualTo(casts);
            assertThat(tree.functions()).isEqualTo(CallScan.functions(tokens));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a + interval '1 day'",
                "interval '1 day'",
                "ARRAY[1]",
                "CASE WHEN a THEN 1 END",
                "a COLLATE \"C\"",
                "now() AT TIME ZONE 'utc'",
                "coalesce(a, 1)",
                "count(*) OVER (x)",
                "f(a => 1)",
                "f(",
                "f(1))",
                "'x'::",
                "(a, b)",
                "x IS DISTINCT FROM y",
                "a = ANY (b)",
                "a IN (1, 2)",
                "a BETWEEN 1 AND 2",
                "a LIKE b",
                "a OPERATOR(pg_catalog.+) b",
                "(SELECT a)",
                "a +",
                "extract(year FROM a)",
                "$1"
            })
    void what_is_not_plain_is_left_to_jsqlparser(String text) {
        TokenList tokens = TokenList.of(text, true);

        assertThat(PlainExpression.casts(new Cursor(tokens, 0, tokens.size()))).isNull();
    }

    /** JSqlParser takes 90 kB for any expression; this ALTER is what an application sends. */
    @Test
    void a_plain_default_costs_no_tree() {
        String sql = "ALTER TABLE app.orders ADD COLUMN state text NOT NULL DEFAULT 'new'::text,"
                + " ADD COLUMN number bigint DEFAULT nextval('app.numbers'::regclass), ADD COLUMN at timestamptz DEFAULT now()";
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 100; i++) {
            SqlParser.parse(sql, ParserOptions.DEFAULT);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
            SqlParser.parse(sql, ParserOptions.DEFAULT);
        }
        assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 100).isLessThan(20_000);
    }

    /**
     * What the token scan alone cannot say. Without JSqlParser this test fails: nothing else reads such an expression's tree,
     * and nothing else than a tree tells that a default with such a keyword calls no more than it seems to.
     */
    @Test
    void jsqlparser_reads_the_tree_so_that_casts_are_named_and_the_list_is_known_to_be_all() {
        ExpressionInspector.Calls calls = ExpressionInspector.inspect(
                "CASE WHEN late THEN round((price * 1.2)::numeric, 2) || s.f(now()) ELSE '-' END");

        assertThat(calls.exact()).isTrue();
        assertThat(calls.functions()).containsExactly("round", "s.f", "now");
        assertThat(calls.operators()).containsExactlyInAnyOrder("*", "||", "CASE");
        assertThat(calls.casts()).containsExactly("numeric");
        assertThat(ExpressionInspector.inspect("timestamptz 'now' + x::s.\"T\"::double precision")
                        .casts())
                .containsExactlyInAnyOrder("timestamptz", "s.T", "double precision");
    }

    @Test
    void operators_are_named_even_where_the_tree_is_not_read() {
        assertThat(ExpressionInspector.inspect("-a ->> 'x' IN (count(*), f(b => 1)) AND c LIKE d @@@")
                        .operators())
                .containsExactlyInAnyOrder("-", "->>", "IN", "LIKE", "@@@");
    }

    @Test
    void a_query_or_what_jsqlparser_cannot_read_is_never_exact() {
        assertThat(ExpressionInspector.inspect("(SELECT f())").exact()).isFalse();
        assertThat(ExpressionInspector.inspect("a @- f(").exact()).isFalse();
        assertThat(ExpressionInspector.inspect("(".repeat(30) + "f()" + ")".repeat(30))
                        .exact())
                .isFalse();
    }
}
