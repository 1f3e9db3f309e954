package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DdlRewriterTest {
    private static Statement.Ddl ddl(String sql) {
        return (Statement.Ddl) SqlParser.parse(sql, ParserOptions.DEFAULT).get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "drop index concurrently i|drop index  i",
                "DROP INDEX /* concurrently */ CONCURRENTLY IF EXISTS s.concurrently|DROP INDEX /* concurrently */  IF EXISTS s.concurrently",
                "DROP INDEX CONCURRENTLY \"CONCURRENTLY\"|DROP INDEX  \"CONCURRENTLY\"",
                "ALTER TABLE t DETACH PARTITION s.concurrently CONCURRENTLY|ALTER TABLE t DETACH PARTITION s.concurrently",
                "REFRESH MATERIALIZED VIEW CONCURRENTLY m WITH DATA|REFRESH MATERIALIZED VIEW  m WITH DATA"
            })
    void the_word_is_cut_out_and_nothing_else(String sql, String plain) {
        assertThat(DdlRewriter.withoutConcurrently(ddl(sql)).text()).isEqualTo(plain);
    }

    @Test
    void strings_are_read_as_the_session_reads_them() {
        Statement.Ddl ddl = (Statement.Ddl) SqlParser.parse(
                        "CREATE TABLE p PARTITION OF t FOR VALUES FROM ('a\\') x') TO (lower('b'))",
                        ParserOptions.ESCAPING)
                .get(0);

        assertThat(DdlRewriter.withPartitionBound(ddl, "FOR VALUES FROM ('c') TO ('d')"))
                .isEqualTo("CREATE TABLE p PARTITION OF t FOR VALUES FROM ('c') TO ('d')");
    }

    @Test
    void what_has_no_such_form_is_refused() {
        assertThatThrownBy(() -> DdlRewriter.withoutConcurrently(ddl("REINDEX (CONCURRENTLY on) SCHEMA s")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE p1 PARTITION OF p (CHECK (a > f(1))) FOR VALUES FROM (now(), 1) TO ((a), b) PARTITION BY LIST (a)",
                "CREATE TABLE p1 PARTITION OF p (CHECK (a > f(1))) FOR VALUES IN ('a)', lower('B')) PARTITION BY LIST (a)",
                "CREATE TABLE p1 PARTITION OF p (CHECK (a > f(1))) for values WITH (modulus 3, remainder 1) PARTITION BY LIST (a)"
            })
    void bounds_of_a_partition_are_replaced_whole(String sql) {
        assertThat(DdlRewriter.withPartitionBound(ddl(sql), "FOR VALUES IN ('x')"))
                .isEqualTo(
                        "CREATE TABLE p1 PARTITION OF p (CHECK (a > f(1))) FOR VALUES IN ('x') PARTITION BY LIST (a)");
    }

    @Test
    void expressions_are_replaced_where_they_stand() {
        Statement.Ddl ddl = ddl("ALTER TABLE \"DEFAULT now()\" ADD é timestamptz DEFAULT now() NOT NULL, ADD b text"
                + " DEFAULT /* a, b */ (f('x,y') || current_user)::varchar(3) COLLATE \"C\" CHECK (b <> now()::text)");
        Map<Expression, String> texts = new HashMap<>();
        for (Expression each : ddl.expressions()) {
            if (each.place() == Expression.Place.ADD_COLUMN_DEFAULT) {
                texts.put(each, "'a value much longer than " + each.column() + "'");
            }
        }
        assertThat(DdlRewriter.withExpressions(ddl, texts))
                .isEqualTo(
                        "ALTER TABLE \"DEFAULT now()\" ADD é timestamptz DEFAULT 'a value much longer than é' NOT NULL,"
                                + " ADD b text DEFAULT /* a, b */ 'a value much longer than b' COLLATE \"C\""
                                + " CHECK (b <> now()::text)");
        assertThatThrownBy(() -> DdlRewriter.withExpressions(
                        ddl, Map.of(ddl.expressions().get(0), "1, ADD c int")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grant connect on database \"a, b\" to c|grant connect on database |to c",
                "REVOKE ALL ON DATABASE /* ON DATABASE x */ a FROM \"on database\"|REVOKE ALL ON DATABASE /* ON DATABASE x */ |FROM \"on database\""
            })
    void a_database_is_found_in_its_text(String sql, String before, String behind) {
        assertThat(DdlRewriter.aroundDatabase(ddl(sql)))
                .extracting(String::strip)
                .containsExactly(before.strip(), behind);
        assertThat(DdlRewriter.aroundDatabase(ddl("GRANT ALL ON DATABASE a, b TO c")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DO $$ BEGIN CREATE TYPE t AS ENUM (); END $$",
                "do language plpgsql $x$ begin execute 'alter table t add c int'; end $x$",
                "DO 'BEGIN EXECUTE format(''DROP TABLE %I'', ''t''); END'",
                "DO $$ BEGIN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF) SELECT 1 INTO t'; END $$",
                "DO $$ BEGIN EXECUTE 'explain verbose analyse SELECT 1 INTO t'; END $$",
                "DO $$ BEGIN CREATE TEMP TABLE t (id int) ON COMMIT DROP; COMMENT ON TABLE t IS ''; END $$"
            })
    void code_with_words_of_ddl_may_change_the_schema(String sql) {
        Statement.Ddl code = ddl(sql);
        assertThat(code.tag()).isEqualTo("DO");
        assertThat(code.complete()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DO $$ BEGIN PERFORM 1; RAISE NOTICE 'dropped, created'; END $$",
                "DO $$ BEGIN FOR l IN EXPLAIN SELECT 1 LOOP RAISE NOTICE 'explains analyses'; END LOOP; END $$",
                "DO $$ BEGIN CREATE TEMP TABLE t (id int) ON COMMIT DROP; END $$",
                "DO $$ BEGIN CREATE TABLE t (id int); COMMIT; END $$",
                "DO $$ BEGIN DROP TABLE t; ROLLBACK AND CHAIN; END $$"
            })
    void other_code_and_code_that_ends_transactions_is_opaque(String sql) {
        assertThat(SqlParser.parse(sql, ParserOptions.DEFAULT).get(0).kind()).isEqualTo(StatementKind.OPAQUE);
    }
}
