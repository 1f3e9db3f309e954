package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Statements in which one row is changed twice, or one key is given up and taken again: by the parts of one statement, and by
 * functions that a statement calls while it runs. Triggers see such changes in another order than they happened in.
 */
class OverlappingChangesIT {
    /** Tables, by how they are captured, and how key number n is written. All have the columns id, n and v. */
    private static final Map<String, String> KEYS = Map.of(
            "by_statement", "%d",
            "by_row", "%d",
            "with_child", "%d",
            "as_text", "'e%d'::e",
            "as_array", "'{%d,0}'::int[]",
            "no_key", "%d");

    /** Statements by what they do: {@code {n}} is key number n, {@code T} the table. Keys 1 to 3 exist, with n = 1 to 3. */
    private static final Map<String, String> STATEMENTS = new LinkedHashMap<>();

    private static RowsGroup group;

    static {
        STATEMENTS.put(
                "a part that ends before the one it reads from",
                "WITH gone AS (DELETE FROM T WHERE n <= 2 RETURNING *) INSERT INTO T SELECT id, n, 'again' FROM gone LIMIT 1");
        STATEMENTS.put(
                "an insert whose rows a function updates",
                "INSERT INTO T SELECT k.id, 7, 'new' FROM (VALUES ({11}, 1), ({12}, 2), ({13}, 3)) k(id, n)"
                        + " WHERE CASE WHEN k.n > 1 THEN run('UPDATE T SET v = v || ''inner'' WHERE id = {11}') ELSE true END");
        STATEMENTS.put(
                "an insert whose row a function deletes",
                "INSERT INTO T SELECT k.id, 7, 'new' FROM (VALUES ({11}, 1), ({12}, 2)) k(id, n)"
                        + " WHERE CASE WHEN k.n > 1 THEN run('DELETE FROM T WHERE id = {11}') ELSE true END");
        STATEMENTS.put(
                "a delete whose key a function takes again",
                "DELETE FROM T WHERE CASE WHEN n = 2 THEN run('INSERT INTO T VALUES ({1}, 9, ''back'')') ELSE true END");
        STATEMENTS.put(
                "an update whose row a function updates again",
                "UPDATE T SET v = CASE WHEN n <> 2 OR run('UPDATE T SET v = ''inner'' WHERE id = {1}') THEN 'outer' END");
        STATEMENTS.put(
                "an update whose old key a function takes",
                "UPDATE T SET id = CASE n WHEN 1 THEN {11} WHEN 2 THEN {12} ELSE {13} END WHERE CASE WHEN n = 2"
                        + " THEN run('INSERT INTO T VALUES ({1}, 9, ''took'')') ELSE true END");
        STATEMENTS.put(
                "an upsert whose rows a function updates",
                "INSERT INTO T VALUES ({1}, 1, 'x'), ({11}, 2, 'y'), ({2}, 4, CASE WHEN"
                        + " run('UPDATE T SET v = v || ''inner'' WHERE id IN ({1}, {11})') THEN 'z' END)"
                        + " ON CONFLICT (id) DO UPDATE SET v = excluded.v");
        STATEMENTS.put(
                "a merge that deletes a row and inserts another with its key",
                "MERGE INTO T t USING (VALUES ({1}, 'other')) s(id, v) ON t.id = s.id AND t.v = s.v"
                        + " WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, 5, s.v)");
    }

    @BeforeAll
    static void create() throws SQLException {
        group = RowsGroup.create("overlaps", 2);
        group.replicate(
                "CREATE FUNCTION run(sql text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN EXECUTE sql; RETURN true; END$$;"
                        + "CREATE TYPE e AS ENUM ('e1', 'e2', 'e3', 'e11', 'e12', 'e13');"
                        + "CREATE TABLE by_statement (id int PRIMARY KEY, n int, v text);"
                        + "CREATE TABLE by_row (id int PRIMARY KEY, n int, v text) PARTITION BY RANGE (id);"
                        + "CREATE TABLE by_row_low PARTITION OF by_row FOR VALUES FROM (0) TO (10);"
                        + "CREATE TABLE by_row_high PARTITION OF by_row DEFAULT;"
                        + "CREATE TABLE with_child (id int PRIMARY KEY, n int, v text);"
                        + "CREATE TABLE child (PRIMARY KEY (id)) INHERITS (with_child);"
                        + "CREATE TABLE as_text (id e PRIMARY KEY, n int, v text);"
                        + "CREATE TABLE as_array (n int, v text, id int[] PRIMARY KEY);"
                        + "ALTER TABLE as_array DROP n, DROP v, ADD n int, ADD v text;"
                        + "CREATE TABLE no_key (id int, n int, v text)",
                "by_statement",
                "by_row",
                "with_child",
                "child",
                "as_text",
                "as_array",
                "no_key");
    }

    @AfterAll
    static void close() {
        group.close();
    }

    static Stream<Arguments> cases() {
        return KEYS.keySet().stream()
                .flatMap(table -> STATEMENTS.keySet().stream()
                        .filter(what -> !table.equals("no_key") || !what.contains("upsert"))
                        .map(what -> Arguments.of(table, what, STATEMENTS.get(what))));
    }

    private static String sql(String table, String template) {
        String key = Objects.requireNonNull(KEYS.get(table));
        StringBuilder sql = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < template.length(); at++) {
            char c = template.charAt(at);
            if (c == '{') {
                int end = template.indexOf('}', at);
                String literal = String.format(key, Integer.parseInt(template.substring(at + 1, end)));
                sql.append(quoted ? literal.replace("'", "''") : literal);
                at = end;
            } else {
                quoted ^= c == '\'';
                sql.append(c);
            }
        }
        return sql.toString().replaceAll("\\bT\\b", table);
    }

    private static void fill(String table) throws SQLException {
        group.write(
                "TRUNCATE " + table, sql(table, "INSERT INTO T VALUES ({1}, 1, 'a'), ({2}, 2, 'b'), ({3}, 3, 'c')"));
        group.assertSame(table);
    }

    private static void assertSame(String table) throws SQLException {
        group.synchronize();
        group.assertEqual(table.equals("by_row") ? new String[] {"by_row_low", "by_row_high"} : new String[] {table});
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("cases")
    void arrives_as_it_ended(String table, String what, String template) throws SQLException {
        if (what.contains("merge")) {
            group.nodesFrom(17);
        }
        String statement = sql(table, template);
        fill(table);
        group.write(statement);
        assertSame(table);
        fill(table);
        group.write("BEGIN; UPDATE " + table + " SET v = v || '.'; " + statement + "; UPDATE " + table
                + " SET v = v || '!' WHERE n > 1; COMMIT");
        assertSame(table);
        fill(table);
        group.write("BEGIN; SAVEPOINT a; " + statement + "; ROLLBACK TO a; " + statement + "; COMMIT");
        assertSame(table);
    }

    @Test
    void statements_that_overlap_with_none_are_captured_once() throws SQLException {
        for (String table : List.of("by_statement", "as_text")) {
            fill(table);
            List<String> statements = new ArrayList<>();
            statements.add("BEGIN");
            statements.add(sql(table, "INSERT INTO T VALUES ({11}, 4, 'd'), ({12}, 5, 'e')")); // 2
            statements.add(sql(table, "UPDATE T SET v = 'u' WHERE n IN (1, 4)")); // 2
            statements.add("SAVEPOINT a");
            statements.add(sql(table, "DELETE FROM T WHERE n = 2")); // 1
            statements.add("RELEASE a");
            statements.add(sql(table, "UPDATE T SET v = 'none' WHERE n = 77"));
            statements.add(
                    sql(table, "INSERT INTO T VALUES ({3}, 1, 'x') ON CONFLICT (id) DO UPDATE SET v = 'oc'")); // 1
            statements.add(
                    sql(table, "INSERT INTO T VALUES ({13}, 1, 'x') ON CONFLICT (id) DO UPDATE SET v = 'oc'")); // 1
            statements.add("COMMIT");
            group.write(String.join("; ", statements));
            String id = group.origin()
                    .queryText("SELECT table_id FROM ddlrep.replicated_table WHERE table_name = '" + table + "'");
            assertThat(group.origin()
                            .queryText("SELECT count(*) FROM ddlrep_shadow.s" + id + "_1 WHERE xid ="
                                    + " (SELECT max(xid::text::bigint)::text::xid8 FROM ddlrep_shadow.s" + id + "_1)"))
                    .as(table)
                    .isEqualTo("7");
            assertSame(table);
        }
    }
}
