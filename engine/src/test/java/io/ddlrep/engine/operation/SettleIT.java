package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens at COMMIT: deferred triggers, held cursors, positions of sequences. */
class SettleIT {
    private static TestGroup group;

    @BeforeAll
    static void start() {
        group = TestGroup.create("settle");
        group.run("CREATE TABLE log (id serial PRIMARY KEY, what text)");
        group.run("CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN INSERT INTO log (what) VALUES (NEW.id::text); RETURN NULL; END'");
        group.run("CREATE FUNCTION note(what text) RETURNS text LANGUAGE sql AS"
                + " 'INSERT INTO log (what) VALUES ($1) RETURNING what'");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws Exception {
        group.run("DROP TABLE IF EXISTS t");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("TRUNCATE log", "INSERT INTO t SELECT g, 'v' FROM generate_series(1, 3) g");
    }

    @Test
    void rows_of_deferred_triggers_are_carried() throws Exception {
        group.run("CREATE CONSTRAINT TRIGGER noted AFTER UPDATE ON t DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION note()");
        group.client().run("BEGIN; CREATE TABLE other (id integer); UPDATE t SET v = 'w'; COMMIT; DROP TABLE other");
        group.assertEqualNodes();
        assertThat(group.node(2).queryRows("SELECT what FROM log ORDER BY 1")).containsExactly("1", "2", "3");
    }

    @Test
    void rows_that_a_held_cursor_writes_at_commit_arrive_with_the_stream() throws Exception {
        group.client()
                .run("BEGIN; ALTER TABLE t ADD COLUMN x integer; DECLARE c CURSOR WITH HOLD FOR"
                        + " SELECT note('held ' || id) FROM t; UPDATE t SET x = 1; COMMIT");
        group.assertEqualNodes();
        assertThat(group.node(3).queryRows("SELECT what FROM log ORDER BY 1"))
                .containsExactly("held 1", "held 2", "held 3");
    }

    @Test
    void sequences_stand_where_the_origin_left_them() throws Exception {
        group.client()
                .run("BEGIN; CREATE SEQUENCE s START 10 INCREMENT 5; SELECT nextval('s'), nextval('s');"
                        + " CREATE SEQUENCE fresh START 7; ALTER TABLE t ADD COLUMN n bigint GENERATED ALWAYS AS IDENTITY;"
                        + " INSERT INTO t (id) VALUES (20); ALTER SEQUENCE s RENAME TO renamed; COMMIT");
        group.assertEqualNodes();
        for (String sequence : new String[] {"renamed", "fresh", "t_n_seq"}) {
            String position = "SELECT last_value || ' ' || is_called FROM " + sequence;
            assertThat(group.node(2).queryText(position))
                    .as(sequence)
                    .isEqualTo(group.origin().queryText(position));
        }
        group.run("DROP SEQUENCE renamed, fresh");
    }

    @Test
    void strict_isolation_works_as_well() throws Exception {
        for (String isolation : new String[] {"REPEATABLE READ", "SERIALIZABLE"}) {
            group.client()
                    .run("BEGIN ISOLATION LEVEL " + isolation + "; UPDATE t SET v = 'a' WHERE id = 1;"
                            + " ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = id; ALTER TABLE t DROP COLUMN x;"
                            + " INSERT INTO log (what) VALUES ('done'); COMMIT");
            group.assertEqualNodes();
        }
    }

    @Test
    void a_script_leaves_a_summary_for_who_wants_it() {
        TestClient client = group.client();
        client.run("SET ddlrep.notices = summary; ALTER TABLE t ADD COLUMN x integer");
        client.run("BEGIN; ALTER TABLE t ADD COLUMN y integer; ALTER TABLE t DROP COLUMN x; COMMIT");
        assertThat(client.notices()).hasSize(2);
        assertThat(client.notices().get(0))
                .matches("ddlrep: ALTER TABLE on 3 nodes in \\d+ ms \\(writers waited \\d+ ms\\)");
        assertThat(client.notices().get(1)).startsWith("ddlrep: 2 statements on 3 nodes in ");
    }
}
