package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements that reach more than they name. After each of them rows are captured and applied as before. */
class CascadeIT {
    private static TestGroup group;

    @BeforeAll
    static void start() {
        group = TestGroup.create("cascade");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws Exception {
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 5) g");
    }

    @AfterEach
    void empty() {
        group.run("DROP TABLE IF EXISTS t CASCADE");
    }

    private static void assertRowsTravel(String table) throws Exception {
        group.assertEqualNodes();
        group.origin()
                .execute(
                        "INSERT INTO " + table + " (id) VALUES (100)",
                        "UPDATE " + table + " SET id = 101 WHERE id = 100",
                        "DELETE FROM " + table + " WHERE id = 1");
        group.assertEqualNodes();
        group.run("ALTER TABLE " + table + " ADD COLUMN later integer DEFAULT 3");
        group.origin().execute("UPDATE " + table + " SET later = 4 WHERE id = 2");
        group.assertEqualNodes();
    }

    @Test
    void drop_type_cascade_takes_a_column_along() throws Exception {
        group.run("CREATE TYPE mood AS ENUM ('sad', 'glad')");
        group.run("ALTER TABLE t ADD COLUMN m mood DEFAULT 'glad'");
        group.run("DROP TYPE mood CASCADE");
        assertRowsTravel("t");
    }

    @Test
    void drop_domain_cascade_takes_a_key_column_along() throws Exception {
        group.run("CREATE DOMAIN code AS integer");
        group.run("CREATE TABLE k (id integer, c code, PRIMARY KEY (id, c))");
        group.origin().execute("INSERT INTO k VALUES (1, 1), (2, 2)");
        group.run("DROP DOMAIN code CASCADE");
        assertRowsTravel("k");
        group.run("DROP TABLE k");
    }

    @Test
    void drop_sequence_cascade_takes_a_default_along() throws Exception {
        group.run(
                "CREATE SEQUENCE s; ALTER TABLE t ALTER COLUMN v SET DEFAULT nextval('s')::text; DROP SEQUENCE s CASCADE");
        assertRowsTravel("t");
    }

    @Test
    void drop_function_cascade_takes_a_trigger_along() throws Exception {
        group.run("CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
        group.run("CREATE TRIGGER touched BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch()");
        assertRowsTravel("t");
        group.run("DROP FUNCTION touch() CASCADE");
        group.run("ALTER TABLE t DROP COLUMN later");
        group.origin().execute("UPDATE t SET id = 1 WHERE id = 101");
        assertRowsTravel("t");
    }

    @Test
    void drop_schema_cascade_takes_tables_along() throws Exception {
        group.run("CREATE SCHEMA app; CREATE TABLE app.a (id integer PRIMARY KEY); CREATE TABLE app.b (id integer"
                + " REFERENCES app.a); CREATE VIEW app.w AS SELECT * FROM app.a");
        group.origin().execute("INSERT INTO app.a VALUES (1)", "INSERT INTO app.b VALUES (1)");
        group.run("DROP SCHEMA app CASCADE");
        group.assertEqualNodes();
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node)
                            .queryText("SELECT count(*) FROM ddlrep.replicated_table WHERE schema_name = 'app'"))
                    .isEqualTo("0");
        }
        group.run("CREATE SCHEMA app; CREATE TABLE app.a (id integer PRIMARY KEY)");
        assertRowsTravel("app.a");
        group.run("DROP SCHEMA app CASCADE");
    }

    @Test
    void drop_table_cascade_takes_views_and_foreign_keys_along() throws Exception {
        group.run("CREATE TABLE p (id integer PRIMARY KEY)");
        group.run("ALTER TABLE t ADD COLUMN p integer REFERENCES p; CREATE VIEW w AS SELECT * FROM p;"
                + " CREATE VIEW w2 AS SELECT * FROM w");
        group.run("DROP TABLE p CASCADE");
        assertRowsTravel("t");
    }

    @Test
    void drop_column_cascade_takes_a_view_and_the_key_along() throws Exception {
        group.run("CREATE TABLE k (id integer, c integer PRIMARY KEY); CREATE VIEW w AS SELECT c FROM k");
        group.origin().execute("INSERT INTO k VALUES (1, 1), (2, 2)");
        group.run("ALTER TABLE k DROP COLUMN c CASCADE");
        assertRowsTravel("k");
        group.run("DROP TABLE k");
    }

    @Test
    void a_key_goes_and_another_one_comes() throws Exception {
        group.run("ALTER TABLE t DROP CONSTRAINT t_pkey");
        assertRowsTravel("t");
        group.run("UPDATE t SET v = id::text; ALTER TABLE t ADD PRIMARY KEY (v)");
        group.origin().execute("INSERT INTO t VALUES (1, 'x')", "UPDATE t SET v = 'y' WHERE v = 'x'");
        group.assertEqualNodes();
        group.run("ALTER TABLE t DROP CONSTRAINT t_pkey; ALTER TABLE t ALTER COLUMN v DROP NOT NULL;"
                + " DELETE FROM t WHERE id = 101; ALTER TABLE t ALTER COLUMN id SET NOT NULL;"
                + " CREATE UNIQUE INDEX t_id ON t (id); ALTER TABLE t DROP COLUMN later");
        assertRowsTravel("t");
        group.run("DROP INDEX t_id; ALTER TABLE t DROP COLUMN later");
        group.origin().execute("UPDATE t SET id = 1 WHERE id = 101");
        assertRowsTravel("t");
    }

    @Test
    void an_enum_grows_and_a_composite_type_changes() throws Exception {
        group.run("CREATE TYPE mood AS ENUM ('sad', 'glad')");
        group.run("CREATE TYPE pair AS (a integer, b text)");
        group.run("ALTER TABLE t ADD COLUMN m mood DEFAULT 'glad', ADD COLUMN p pair");
        group.run("ALTER TYPE mood ADD VALUE 'mad'");
        group.run("ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'");
        group.run("ALTER TYPE pair RENAME ATTRIBUTE b TO c");
        group.origin()
                .execute("UPDATE t SET m = 'mad' WHERE id = 3", "UPDATE t SET m = 'blue', p = (1, 'x') WHERE id = 4");
        assertRowsTravel("t");
        group.run("DROP TYPE mood, pair CASCADE");
        group.assertEqualNodes();
    }

    @Test
    void children_follow_their_parent() throws Exception {
        group.run("CREATE TABLE child (extra text) INHERITS (t)");
        group.origin().execute("INSERT INTO child VALUES (50, 'c', 'e')");
        assertRowsTravel("t");
        group.run("ALTER TABLE t DROP COLUMN v CASCADE");
        group.origin().execute("INSERT INTO child (id, extra) VALUES (51, 'f')", "UPDATE t SET later = 8");
        group.assertEqualNodes();
    }

    @Test
    void a_parents_statement_changes_its_childrens_rows_once() throws Exception {
        group.run("CREATE TABLE child () INHERITS (t)");
        group.origin()
                .execute(
                        "INSERT INTO child VALUES (60, 'c')", "UPDATE t SET v = 'both'", "DELETE FROM t WHERE id = 60");
        group.assertEqualNodes();
        group.run("ALTER TABLE child NO INHERIT t");
        group.origin().execute("INSERT INTO child VALUES (61, 'c')", "UPDATE t SET v = 'alone'");
        group.run("ALTER TABLE child INHERIT t");
        group.origin().execute("UPDATE t SET v = v || '!'");
        group.assertEqualNodes();
    }

    @Test
    void a_child_made_in_the_same_transaction_follows_its_parent() throws Exception {
        group.run("CREATE TABLE child () INHERITS (t); ALTER TABLE t ADD COLUMN more text;"
                + " INSERT INTO child (id, v, more) VALUES (70, 'c', 'm')");
        group.origin().execute("INSERT INTO child (id, v, more) VALUES (71, 'd', 'n')", "UPDATE t SET more = v");
        group.assertEqualNodes();
        assertThat(group.node(3).queryRows("SELECT id, more FROM child ORDER BY id"))
                .containsExactly("70|c", "71|d");
    }

    @Test
    void triggers_that_are_switched_off_while_the_form_of_capture_changes_are_let_go() throws Exception {
        group.run("CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
        group.run("CREATE TRIGGER touch BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch()");
        // Without a trigger of the user's that fires, rows are captured by statement again.
        group.run("ALTER TABLE t DISABLE TRIGGER USER");
        assertRowsTravel("t");
        group.run("ALTER TABLE t ENABLE TRIGGER USER");
        group.origin().execute("UPDATE t SET v = 'on', id = id + 500 WHERE id > 3");
        group.assertEqualNodes();
        group.run("DROP FUNCTION touch() CASCADE");
    }

    @Test
    void partitions_come_and_go() throws Exception {
        group.run("CREATE TABLE parted (id integer PRIMARY KEY, v text) PARTITION BY RANGE (id)");
        group.run("CREATE TABLE p1 PARTITION OF parted FOR VALUES FROM (0) TO (10)");
        group.run("CREATE TABLE p2 (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO parted VALUES (1, 'a'), (2, 'b')", "INSERT INTO p2 VALUES (15, 'c')");
        group.run("ALTER TABLE parted ATTACH PARTITION p2 FOR VALUES FROM (10) TO (200)");
        assertRowsTravel("parted");
        group.run("ALTER TABLE parted DETACH PARTITION p1");
        group.origin().execute("INSERT INTO p1 (id) VALUES (7)", "UPDATE parted SET v = 'q' WHERE id = 15");
        group.assertEqualNodes();
        group.run("DROP TABLE p2");
        group.run("CREATE TABLE p3 PARTITION OF parted DEFAULT");
        group.origin().execute("INSERT INTO parted (id) VALUES (2000)");
        group.assertEqualNodes();
        group.run("DROP TABLE parted, p1");
    }

    @Test
    void a_partition_that_is_partitioned_itself_leaves_and_comes_back() throws Exception {
        group.run("CREATE TABLE parted (id integer PRIMARY KEY, v text) PARTITION BY RANGE (id);"
                + " CREATE TABLE upper PARTITION OF parted FOR VALUES FROM (0) TO (1000) PARTITION BY RANGE (id);"
                + " CREATE TABLE leaf PARTITION OF upper FOR VALUES FROM (0) TO (1000)");
        group.origin().execute("INSERT INTO parted VALUES (1, 'a'), (2, 'b')");
        group.run("ALTER TABLE parted DETACH PARTITION upper");
        group.origin().execute("INSERT INTO upper VALUES (3, 'c')", "UPDATE upper SET v = 'alone' WHERE id = 1");
        group.run("ALTER TABLE parted ATTACH PARTITION upper FOR VALUES FROM (0) TO (1000)");
        assertRowsTravel("parted");
        group.run("DROP TABLE parted");
    }

    @Test
    void partitions_are_attached_level_by_level() throws Exception {
        group.run("CREATE TABLE parted (id integer PRIMARY KEY, v text) PARTITION BY RANGE (id);"
                + " CREATE TABLE upper (v text, id integer PRIMARY KEY) PARTITION BY RANGE (id);"
                + " CREATE TABLE lower (id integer PRIMARY KEY, v text) PARTITION BY RANGE (id);"
                + " CREATE TABLE leaf (v text, id integer PRIMARY KEY)");
        group.origin().execute("INSERT INTO leaf VALUES ('a', 1)");
        group.run("ALTER TABLE parted ATTACH PARTITION upper FOR VALUES FROM (0) TO (1000)");
        group.run("ALTER TABLE upper ATTACH PARTITION lower FOR VALUES FROM (0) TO (1000)");
        group.run("ALTER TABLE lower ATTACH PARTITION leaf FOR VALUES FROM (0) TO (1000)");
        assertRowsTravel("parted");
        group.run("DROP TABLE parted");
    }
}
