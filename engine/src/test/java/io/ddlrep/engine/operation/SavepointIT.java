package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SavepointIT {
    private static TestGroup group;
    private TestClient client;

    @BeforeAll
    static void start() {
        group = TestGroup.create("savepoint");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws Exception {
        group.run("DROP TABLE IF EXISTS t");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'old' FROM generate_series(1, 20) g");
        client = group.client();
    }

    private static List<String> rows(String sql) throws Exception {
        group.assertEqualNodes();
        return group.node(3).queryRows(sql);
    }

    @Test
    void rollback_to_undoes_ddl_in_the_middle_and_keeps_the_rows_around_it() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer; UPDATE t SET a = 1 WHERE id <= 5; SAVEPOINT s;"
                + " ALTER TABLE t ADD COLUMN b integer; UPDATE t SET b = 2, v = 'gone'; ALTER TABLE t DROP COLUMN v;"
                + " ROLLBACK TO s; UPDATE t SET a = 3 WHERE id = 20; ALTER TABLE t ADD COLUMN c integer DEFAULT 9;"
                + " DELETE FROM t WHERE id = 19; COMMIT");
        assertThat(rows("SELECT count(*), count(a), sum(a), sum(c), count(*) FILTER (WHERE v = 'old') FROM t"))
                .containsExactly("19|6|8|171|19");
    }

    @Test
    void own_rows_before_and_after_a_rollback_to_are_carried_once() throws Exception {
        client.run("BEGIN; CREATE TABLE IF NOT EXISTS w (v integer); INSERT INTO w VALUES (1), (1); SAVEPOINT s;"
                + " INSERT INTO w VALUES (2); ALTER TABLE w ADD COLUMN x integer; INSERT INTO w VALUES (3, 3);"
                + " ROLLBACK TO s; INSERT INTO w VALUES (4); ALTER TABLE w ADD COLUMN y integer DEFAULT 7;"
                + " INSERT INTO w VALUES (5); COMMIT");
        assertThat(rows("SELECT v, y FROM w ORDER BY v")).containsExactly("1|7", "1|7", "4|7", "5|7");
        group.run("DROP TABLE w");
    }

    @Test
    void an_error_in_a_savepoint_is_undone_and_the_operation_goes_on() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer; UPDATE t SET a = id; SAVEPOINT s");
        assertThat(client.refused("ALTER TABLE t ADD COLUMN a integer").sqlState())
                .isEqualTo("42701");
        client.run("ROLLBACK TO s; ALTER TABLE t ADD COLUMN b integer; UPDATE t SET b = a; COMMIT");
        assertThat(rows("SELECT sum(b) FROM t")).containsExactly("210");
        assertThat(group.lastOperation()).isEqualTo("committed");
    }

    @Test
    void an_error_on_a_replica_in_a_savepoint_is_undone_and_the_operation_goes_on() throws Exception {
        try (Fault fault = Fault.on(group, 2, "ADD COLUMN bad")) {
            assertThat(fault).isNotNull();
            client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer; UPDATE t SET a = id; SAVEPOINT s");
            assertThat(client.refused("ALTER TABLE t ADD COLUMN bad integer").sqlState())
                    .isEqualTo(Fault.STATE);
            client.run("ROLLBACK TO s; ALTER TABLE t ADD COLUMN b integer; UPDATE t SET b = a; COMMIT");
        }
        assertThat(rows("SELECT sum(b) FROM t")).containsExactly("210");
    }

    @Test
    void an_error_of_a_row_statement_in_a_savepoint_is_undone_and_the_operation_goes_on() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer; SAVEPOINT s; UPDATE t SET a = id");
        assertThat(client.refused("INSERT INTO t VALUES (1)").sqlState()).isEqualTo("23505");
        client.run("ROLLBACK TO s; UPDATE t SET a = 2; ALTER TABLE t ALTER COLUMN a SET NOT NULL; COMMIT");
        assertThat(rows("SELECT sum(a) FROM t")).containsExactly("40");
    }

    @Test
    void a_savepoint_that_is_older_than_the_operation_ends_it() throws Exception {
        long before = group.operations();
        client.run("BEGIN; UPDATE t SET v = 'kept' WHERE id = 1; SAVEPOINT s; ALTER TABLE t ADD COLUMN a integer;"
                + " UPDATE t SET a = 1; ROLLBACK TO s");
        assertThat(client.isOperationOpen()).isFalse();
        assertThat(group.lastOperation()).isEqualTo("rolled_back");
        client.run("ALTER TABLE t ADD COLUMN b integer; UPDATE t SET b = 2 WHERE id = 2; COMMIT");
        assertThat(rows("SELECT id, v, b FROM t WHERE id < 3 ORDER BY id")).containsExactly("1|kept|∅", "2|old|2");
        assertThat(group.operations()).isEqualTo(before + 2);
    }

    @Test
    void a_failed_operation_behind_an_older_savepoint_can_be_tried_again() throws Exception {
        client.run("BEGIN; UPDATE t SET v = 'kept' WHERE id = 1; SAVEPOINT s");
        assertThat(client.refused("ALTER TABLE t ADD COLUMN v integer").sqlState())
                .isEqualTo("42701");
        client.run("ROLLBACK TO s; ALTER TABLE t ADD COLUMN b integer DEFAULT 4; COMMIT");
        assertThat(rows("SELECT v, b FROM t WHERE id = 1")).containsExactly("kept|4");
    }

    @Test
    void release_keeps_what_was_done_and_names_may_be_used_twice() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer; SAVEPOINT s; UPDATE t SET a = 1; SAVEPOINT s;"
                + " UPDATE t SET a = 2; ALTER TABLE t ADD COLUMN b integer; RELEASE s; ROLLBACK TO s;"
                + " UPDATE t SET a = 3 WHERE id = 1; RELEASE s; ALTER TABLE t ADD COLUMN c integer; COMMIT");
        assertThat(rows("SELECT count(a), sum(a) FROM t")).containsExactly("1|3");
        assertThat(group.node(2)
                        .queryRows("SELECT attname FROM pg_attribute WHERE attrelid = 't'::regclass"
                                + " AND attnum > 0 AND NOT attisdropped ORDER BY 1"))
                .containsExactly("a", "c", "id", "v");
    }

    @Test
    void a_released_older_savepoint_leaves_no_way_back_but_rollback() throws Exception {
        client.run("BEGIN; SAVEPOINT s; ALTER TABLE t ADD COLUMN a integer; RELEASE s; UPDATE t SET a = 5; COMMIT");
        assertThat(rows("SELECT sum(a) FROM t")).containsExactly("100");
    }

    @Test
    void a_table_that_was_made_and_undone_can_be_made_again() throws Exception {
        client.run("BEGIN; SAVEPOINT s; CREATE TABLE u (id integer PRIMARY KEY); INSERT INTO u VALUES (1);"
                + " ROLLBACK TO s; CREATE TABLE u (id integer PRIMARY KEY, v text); INSERT INTO u VALUES (2, 'b');"
                + " SAVEPOINT q; DROP TABLE u; ROLLBACK TO q; INSERT INTO u VALUES (3, 'c'); COMMIT");
        group.origin().execute("UPDATE u SET v = v || v");
        assertThat(rows("SELECT id, v FROM u ORDER BY id")).containsExactly("2|bb", "3|cc");
        group.run("DROP TABLE u");
    }
}
