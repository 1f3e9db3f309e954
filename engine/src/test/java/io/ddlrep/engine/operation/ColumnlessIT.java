package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables without columns, or with none that can be written: their rows are counted. */
class ColumnlessIT {
    private static TestGroup group;

    @BeforeAll
    static void start() {
        group = TestGroup.create("columnless");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static void assertRows(String table, int rows) throws SQLException {
        group.synchronize();
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryText("SELECT count(*) FROM " + table))
                    .as(table + " on n" + node)
                    .isEqualTo(Integer.toString(rows));
        }
        group.assertEqualNodes();
    }

    @Test
    void a_table_without_columns_gets_rows_then_columns_and_loses_both() throws SQLException {
        group.run("CREATE TABLE bare ()");
        group.origin()
                .execute(
                        "INSERT INTO bare DEFAULT VALUES",
                        "INSERT INTO bare SELECT FROM generate_series(1, 6)",
                        "DELETE FROM bare WHERE ctid IN (SELECT ctid FROM bare LIMIT 2)");
        assertRows("bare", 5);
        group.origin()
                .execute("BEGIN; INSERT INTO bare SELECT FROM generate_series(1, 3);"
                        + " DELETE FROM bare WHERE ctid = (SELECT max(ctid) FROM bare); COMMIT");
        assertRows("bare", 7);
        try (TestClient client = group.client()) {
            client.run("BEGIN; INSERT INTO bare DEFAULT VALUES; ALTER TABLE bare ADD COLUMN id serial;"
                    + " INSERT INTO bare DEFAULT VALUES; COMMIT");
        }
        assertRows("bare WHERE id BETWEEN 1 AND 9", 9);
        group.run("ALTER TABLE bare DROP COLUMN id");
        group.run("CREATE TABLE copied AS SELECT FROM bare LIMIT 4; SELECT INTO copied2 FROM copied");
        group.run("CREATE TABLE IF NOT EXISTS copied3 () WITH (fillfactor = 90)");
        assertRows("copied", 4);
        assertRows("copied2", 4);
        group.run(
                "CREATE MATERIALIZED VIEW seen AS SELECT FROM copied; REFRESH MATERIALIZED VIEW seen; DROP TABLE copied CASCADE");
        group.run("DROP TABLE copied2, copied3");
        group.origin().execute("DELETE FROM bare WHERE ctid = (SELECT min(ctid) FROM bare)");
        assertRows("bare", 8);
        group.origin().execute("INSERT INTO bare DEFAULT VALUES", "TRUNCATE bare", "INSERT INTO bare DEFAULT VALUES");
        assertRows("bare", 1);
        group.run("DROP TABLE bare");
    }

    @Test
    void tables_that_inherit_nothing_from_a_table_without_columns() throws SQLException {
        group.run("CREATE TABLE parent (); CREATE TABLE child () INHERITS (parent);"
                + " CREATE TABLE other (v integer) INHERITS (parent)");
        group.origin()
                .execute(
                        "INSERT INTO child SELECT FROM generate_series(1, 3)",
                        "INSERT INTO parent DEFAULT VALUES",
                        "INSERT INTO other VALUES (1), (2)",
                        "DELETE FROM parent WHERE tableoid = 'other'::regclass");
        assertRows("parent", 4);
        group.run("ALTER TABLE parent ADD COLUMN k integer DEFAULT 3");
        group.origin().execute("UPDATE parent SET k = 4 WHERE tableoid = 'child'::regclass");
        assertRows("child WHERE k = 4", 3);
        group.run("DROP TABLE parent, child, other");
    }

    @Test
    void columns_that_are_all_computed() throws SQLException {
        group.run("CREATE TABLE computed (x integer GENERATED ALWAYS AS (1) STORED)");
        group.run("CREATE TABLE keyed (x integer GENERATED ALWAYS AS (1) STORED PRIMARY KEY)");
        group.origin()
                .execute(
                        "INSERT INTO computed SELECT FROM generate_series(1, 4)",
                        "DELETE FROM computed WHERE ctid = (SELECT max(ctid) FROM computed)",
                        "BEGIN; INSERT INTO computed DEFAULT VALUES; DELETE FROM computed WHERE ctid"
                                + " = (SELECT min(ctid) FROM computed); COMMIT",
                        "INSERT INTO keyed DEFAULT VALUES",
                        "DELETE FROM keyed",
                        "INSERT INTO keyed DEFAULT VALUES");
        assertRows("computed WHERE x = 1", 3);
        assertRows("keyed", 1);
        group.run("DROP TABLE computed, keyed");
    }
}
