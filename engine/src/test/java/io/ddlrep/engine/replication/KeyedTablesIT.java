package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables with a key, captured by statement: every way in which one statement can change many rows. */
class KeyedTablesIT {
    private static RowsGroup group;

    @BeforeAll
    static void create() throws SQLException {
        group = RowsGroup.create("keyed", 2);
        group.replicate(
                "CREATE TABLE t (id int PRIMARY KEY, g int, v text);"
                        + "CREATE TABLE swap (id int PRIMARY KEY DEFERRABLE, v text);"
                        + "CREATE TABLE uni (id int PRIMARY KEY, u int UNIQUE, v text);"
                        + "CREATE TABLE onlykey (a int, b text, PRIMARY KEY (b, a));"
                        + "CREATE TABLE ident (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v text);"
                        + "CREATE TABLE ident2 (k text PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY, v text);"
                        + "CREATE TABLE gen (id int PRIMARY KEY, a int, b int GENERATED ALWAYS AS (a * 2) STORED);"
                        + "CREATE TABLE genkey (a int, b int GENERATED ALWAYS AS (a * 2) STORED PRIMARY KEY, v text);"
                        + "CREATE TABLE \"Odd \"\"name\" (\"a'b\\c\" int PRIMARY KEY, \"$ddlrep$ %s {{x}}\" text, seq int, op int)",
                "t", "swap", "uni", "onlykey", "ident", "ident2", "gen", "genkey", "\"Odd \"\"name\"");
    }

    @AfterAll
    static void close() {
        group.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write("TRUNCATE t", "INSERT INTO t SELECT g, g, 'v' || g FROM generate_series(1, 1000) g");
    }

    @Test
    void many_rows_inserted_updated_and_deleted_by_one_statement_each() throws SQLException {
        group.assertSame("t");
        group.write("UPDATE t SET v = v || 'u' WHERE id <= 300", "DELETE FROM t WHERE id > 900");
        group.assertSame("t");
    }

    @Test
    void a_key_that_changes_leaves_its_old_place() throws SQLException {
        group.assertSame("t");
        group.write("UPDATE t SET id = id + 10000 WHERE id <= 50");
        group.assertSame("t");
        group.write("UPDATE t SET id = id - 9999 WHERE id = 10001", "UPDATE t SET id = 1, v = 'x' WHERE id = 2");
        group.assertSame("t");
    }

    @Test
    void keys_that_shift_or_change_places_in_one_statement() throws SQLException {
        group.write("TRUNCATE swap", "INSERT INTO swap SELECT g, 'v' || g FROM generate_series(1, 100) g");
        group.assertSame("swap");
        group.write("UPDATE swap SET id = id + 1");
        group.assertSame("swap");
        group.write("UPDATE swap SET id = CASE id WHEN 2 THEN 3 WHEN 3 THEN 2 END WHERE id IN (2, 3)");
        group.assertSame("swap");
        group.write("BEGIN; SET CONSTRAINTS ALL DEFERRED; INSERT INTO swap VALUES (5, 'second');"
                + " DELETE FROM swap WHERE v = 'v4'; COMMIT");
        group.assertSame("swap");
    }

    @Test
    void unique_values_that_two_rows_exchange_within_one_batch() throws SQLException {
        group.write("INSERT INTO uni SELECT g, g * 10, 'x' FROM generate_series(1, 10) g");
        group.assertSame("uni");
        group.write(
                "UPDATE uni SET u = -1 WHERE id = 1",
                "UPDATE uni SET u = 10 WHERE id = 2",
                "UPDATE uni SET u = 20 WHERE id = 1",
                "DELETE FROM uni WHERE id = 5",
                "INSERT INTO uni VALUES (50, 50, 'took it over')");
        group.assertSame("uni");
    }

    @Test
    void insert_on_conflict_updates_some_rows_and_inserts_others() throws SQLException {
        group.assertSame("t");
        group.write(
                "INSERT INTO t VALUES (100, 5, 'oc'), (5000, 5, 'oc'), (101, 5, 'oc') ON CONFLICT (id) DO UPDATE SET v = excluded.v",
                "INSERT INTO t VALUES (100, 5, 'x'), (5001, 5, 'x') ON CONFLICT DO NOTHING");
        group.assertSame("t");
    }

    @Test
    void one_statement_with_several_commands_on_the_table() throws SQLException {
        group.assertSame("t");
        group.write(
                "WITH d AS (DELETE FROM t WHERE id IN (100, 101) RETURNING *) INSERT INTO t SELECT id, g, 'moved' FROM d",
                "WITH u AS (UPDATE t SET v = 'cte' WHERE id < 110 RETURNING id) UPDATE t SET v = 'outer' WHERE id BETWEEN 110 AND 120",
                "WITH i AS (INSERT INTO t VALUES (60000, 1, 'i') RETURNING id) DELETE FROM t WHERE id = 110",
                "WITH u AS (UPDATE t SET id = 70001 WHERE id = 130) DELETE FROM t WHERE id = 131");
        group.assertSame("t");
    }

    @Test
    void merge_deletes_updates_and_inserts() throws SQLException {
        group.nodesFrom(15);
        group.assertSame("t");
        group.write("MERGE INTO t USING (VALUES (100, 'm1'), (102, 'del'), (7000, 'new')) s(id, v) ON t.id = s.id"
                + " WHEN MATCHED AND s.v = 'del' THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v"
                + " WHEN NOT MATCHED THEN INSERT VALUES (s.id, 0, s.v)");
        group.assertSame("t");
    }

    @Test
    void what_a_savepoint_takes_back_never_travels() throws SQLException {
        group.write(
                "BEGIN; SAVEPOINT a; UPDATE t SET v = 'rb'; ROLLBACK TO a; UPDATE t SET v = 'kept' WHERE id = 100; COMMIT");
        group.write("BEGIN; DELETE FROM t; ROLLBACK", "UPDATE t SET v = 'none' WHERE false");
        group.assertSame("t");
    }

    @Test
    void truncate_is_a_barrier_between_older_and_newer_rows() throws SQLException {
        group.write("INSERT INTO t VALUES (2000, 0, 'before')", "TRUNCATE t", "INSERT INTO t VALUES (1, 1, 'after')");
        group.assertSame("t");
        group.write("BEGIN; INSERT INTO t VALUES (2, 2, 'x'); TRUNCATE t; INSERT INTO t VALUES (3, 3, 'y'); COMMIT");
        group.assertSame("t");
        group.write("TRUNCATE t");
        group.assertSame("t");
    }

    @Test
    void truncate_cascade_empties_both_ends_of_a_foreign_key() throws SQLException {
        group.replicate(
                "CREATE TABLE cut (id int PRIMARY KEY); CREATE TABLE cut_kid (id int PRIMARY KEY, r int REFERENCES cut)",
                "cut",
                "cut_kid");
        group.write("INSERT INTO cut VALUES (1)", "INSERT INTO cut_kid VALUES (1, 1)");
        group.assertSame("cut", "cut_kid");
        group.write("TRUNCATE cut CASCADE", "INSERT INTO cut VALUES (2)");
        group.assertSame("cut", "cut_kid");
        assertThat(group.replicas().get(0).queryRows("SELECT id FROM cut UNION ALL SELECT id FROM cut_kid"))
                .containsExactly("2");
    }

    @Test
    void a_row_that_comes_and_goes_within_a_batch() throws SQLException {
        group.assertSame("t");
        group.write(
                "INSERT INTO t VALUES (3000, 0, 'short')",
                "DELETE FROM t WHERE id = 3000",
                "DELETE FROM t WHERE id = 5",
                "INSERT INTO t VALUES (5, 5, 'again')",
                "UPDATE t SET id = 3001 WHERE id = 6",
                "UPDATE t SET id = 6 WHERE id = 3001");
        group.assertSame("t");
    }

    @Test
    void changes_under_the_replica_role_are_not_captured() throws SQLException {
        group.assertSame("t");
        group.write("SET session_replication_role = replica; UPDATE t SET v = v; RESET session_replication_role");
        assertThat(group.synchronize()).isZero();
    }

    @Test
    void a_table_that_is_nothing_but_its_key() throws SQLException {
        group.write("INSERT INTO onlykey VALUES (1, 'a'), (2, 'b')", "UPDATE onlykey SET a = 3 WHERE a = 1");
        group.assertSame("onlykey");
        group.write("UPDATE onlykey SET b = b");
        group.assertSame("onlykey");
    }

    @Test
    void identity_columns_that_are_always_generated() throws SQLException {
        group.write(
                "INSERT INTO ident (v) VALUES ('a'), ('b')",
                "UPDATE ident SET v = 'c' WHERE id = 1",
                "INSERT INTO ident2 (k, v) VALUES ('x', '1'), ('y', '2')");
        group.assertSame("ident", "ident2");
        group.write(
                "UPDATE ident SET id = DEFAULT WHERE id = 1", "UPDATE ident2 SET n = DEFAULT, v = '3' WHERE k = 'x'");
        group.assertSame("ident", "ident2");
        group.write("INSERT INTO ident2 (k, v) VALUES ('z', 'new')", "DELETE FROM ident2 WHERE k = 'y'");
        group.assertSame("ident", "ident2");
    }

    @Test
    void generated_columns_are_computed_on_each_node() throws SQLException {
        group.write("INSERT INTO gen (id, a) VALUES (1, 5)", "INSERT INTO genkey (a, v) VALUES (1, 'x'), (2, 'y')");
        group.assertSame("gen", "genkey");
        group.write("UPDATE gen SET a = 6", "UPDATE genkey SET a = 7 WHERE a = 1", "DELETE FROM genkey WHERE a = 2");
        group.assertSame("gen", "genkey");
    }

    @Test
    void names_that_need_every_kind_of_quoting() throws SQLException {
        group.write(
                "INSERT INTO \"Odd \"\"name\" VALUES (1, 'a''\\b', 7, 8), (2, NULL, NULL, NULL)",
                "UPDATE \"Odd \"\"name\" SET \"a'b\\c\" = 9, seq = 1 WHERE op = 8");
        group.assertSame("\"Odd \"\"name\"");
        group.write("DELETE FROM \"Odd \"\"name\" WHERE op = 8");
        group.assertSame("\"Odd \"\"name\"");
    }

    @Test
    void views_and_copy_change_tables_too() throws SQLException {
        group.write(
                "CREATE OR REPLACE VIEW tv AS SELECT * FROM t WHERE id < 5000",
                "INSERT INTO tv VALUES (4001, 2, 'view')",
                "UPDATE tv SET v = 'vv' WHERE id < 10",
                "DROP VIEW tv");
        group.copyIn("COPY t FROM STDIN", "20000\t1\tcopied\n20001\t2\t\\N\n");
        group.assertSame("t");
    }

    @Test
    void tables_that_take_no_upsert() throws SQLException {
        group.replicate(
                "CREATE TABLE ruled (id int PRIMARY KEY, v text);"
                        + "CREATE RULE also AS ON UPDATE TO ruled DO ALSO NOTIFY ruled;"
                        + "CREATE TABLE twice (id int PRIMARY KEY, v text, UNIQUE (id) DEFERRABLE)",
                "ruled",
                "twice");
        for (String table : new String[] {"ruled", "twice"}) {
            group.write("INSERT INTO " + table + " VALUES (1, 'a'), (2, 'b'), (3, 'c')");
            group.assertSame(table);
            group.write("UPDATE " + table + " SET v = v || 'x' WHERE id < 3", "DELETE FROM " + table + " WHERE id = 3");
            group.assertSame(table);
        }
    }
}
