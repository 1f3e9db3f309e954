package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names that functions of replicated tables hold are moved by statements that lock none of the tables: rows still travel. */
class MovedNamesIT {
    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("moved");
        group.run("CREATE SCHEMA app");
        group.run("CREATE SCHEMA side");
        group.run("CREATE TYPE app.mood AS ENUM ('glad', 'sad')");
        group.run("CREATE DOMAIN app.name AS text CHECK (VALUE <> '')");
        group.run("CREATE TABLE app.t (k app.mood, n app.name, v integer, PRIMARY KEY (k, n))");
        group.run("CREATE TABLE app.bag (k app.mood, v integer)");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static void change(String schema) throws Exception {
        for (int again = 0; again < 2; again++) {
            group.origin()
                    .execute(
                            "INSERT INTO " + schema + ".t SELECT 'glad', 'x', 0 ON CONFLICT DO NOTHING",
                            // One row alone: of two, the key that one takes may still be the other's.
                            "UPDATE " + schema + ".t SET v = v + 1, n = n || 'y' WHERE n = (SELECT max(n) FROM "
                                    + schema + ".t)",
                            "INSERT INTO " + schema + ".bag VALUES ('sad', 1), ('sad', 1)",
                            "DELETE FROM " + schema + ".bag WHERE ctid = (SELECT min(ctid) FROM " + schema + ".bag)");
            group.assertEqualNodes();
        }
    }

    @Test
    void types_and_schemas_that_are_renamed_and_moved() throws Exception {
        change("app");
        group.run("ALTER TYPE app.mood RENAME TO feeling");
        change("app");
        group.run("ALTER TYPE app.feeling SET SCHEMA side");
        group.run("ALTER DOMAIN app.name SET SCHEMA side");
        change("app");
        group.run("ALTER SCHEMA app RENAME TO app2");
        change("app2");
        group.run("ALTER SCHEMA side RENAME TO side2");
        change("app2");
        group.run("ALTER TABLE app2.t ADD COLUMN more side2.feeling DEFAULT 'sad'");
        change("app2");
        assertThat(group.node(3).queryText("SELECT count(*) > 2 FROM app2.bag")).isEqualTo("t");
    }

    @Test
    void a_table_that_somebody_has_dropped_around_ddlrep_gives_its_name_free() throws Exception {
        group.run("CREATE TABLE tree (id integer, v text, PRIMARY KEY (id)) PARTITION BY RANGE (id)");
        group.run("CREATE TABLE leaf PARTITION OF tree FOR VALUES FROM (0) TO (100)");
        group.origin().execute("INSERT INTO tree VALUES (1, 'old')");
        group.synchronize();
        for (int node = 1; node <= 3; node++) {
            group.local(node, "DROP TABLE tree");
        }
        group.run("BEGIN; CREATE TABLE leaf (id integer PRIMARY KEY); CREATE TABLE tree (w integer PRIMARY KEY);"
                + " INSERT INTO tree VALUES (7); DROP TABLE leaf; COMMIT; CREATE TABLE leaf (x integer)");
        group.origin().execute("INSERT INTO leaf VALUES (1), (1)", "UPDATE tree SET w = w + 1");
        group.assertEqualNodes();
        assertThat(group.node(3).queryRows("SELECT w FROM tree")).containsExactly("8");
        assertThat(group.node(2)
                        .queryRows("SELECT count(*) FROM ddlrep.replicated_table t"
                                + " LEFT JOIN pg_class c ON c.oid = t.relid WHERE c.oid IS NULL"))
                .containsExactly("0");
        group.run("DROP TABLE tree, leaf");
    }

    @Test
    void a_key_that_is_compared_otherwise_than_before() throws Exception {
        group.run("CREATE COLLATION app_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        group.run("CREATE TABLE keyed (k text COLLATE app_ci PRIMARY KEY, v integer)");
        group.origin().execute("INSERT INTO keyed VALUES ('a', 0)");
        group.assertEqualNodes();
        group.run("ALTER TABLE keyed ALTER COLUMN k TYPE text COLLATE \"C\"");
        group.origin()
                .execute(
                        "INSERT INTO keyed VALUES ('A', 0)",
                        "UPDATE keyed SET v = 1 WHERE k = 'a'",
                        "UPDATE keyed SET v = 2 WHERE k = 'A'");
        group.assertEqualNodes();
    }
}
