package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** What the token scan alone cannot say. */
    @Test
    void jsqlparser_reads_the_tree_so_that_casts_are_named_and_the_list_is_known_to_be_all() {
        ExpressionInspector.Calls calls = ExpressionInspector.inspect("round((price * 1.2)::numeric, 2) || s.f(now())");

        assertThat(calls.exact()).isTrue();
        assertThat(calls.functions()).containsExactly("round", "s.f", "now");
        assertThat(calls.operators()).containsExactlyInAnyOrder("*", "||");
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
