package io.ddlrep.engine.replication;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables without a key: bags of rows. */
class KeylessTablesIT {
    private static RowsGroup group;

    @BeforeAll
    static void create() throws SQLException {
        group = RowsGroup.create("keyless", 2);
        group.replicate(
                "CREATE TYPE mood AS ENUM ('sad', 'ok');"
                        + "CREATE TABLE k (v text, n numeric, j json, p point, m mood, f float8);"
                        + "CREATE TABLE nullable (a int UNIQUE, b text)",
                "k",
                "nullable");
    }

    @AfterAll
    static void close() {
        group.close();
    }

    @Test
    void equal_rows_are_counted() throws SQLException {
        group.write(
                "TRUNCATE k",
                "INSERT INTO k SELECT 'dup', 1, '{\"a\":1}', '(1,2)', 'ok', 'NaN' FROM generate_series(1, 5)",
                "INSERT INTO k VALUES (NULL, NULL, NULL, NULL, NULL, NULL), (NULL, NULL, NULL, NULL, NULL, NULL)",
                "INSERT INTO k VALUES ('', 1.0, '1', '(0,0)', 'sad', '-0'), ('', 1.00, '1', '(0,0)', 'sad', '0')");
        group.assertSame("k");
        group.write("DELETE FROM k WHERE ctid IN (SELECT ctid FROM k WHERE v = 'dup' LIMIT 2)");
        group.assertSame("k");
        group.write(
                "DELETE FROM k WHERE ctid IN (SELECT ctid FROM k WHERE v IS NULL LIMIT 1)",
                "UPDATE k SET v = 'up' WHERE n = 1.0 AND f = 0");
        group.assertSame("k");
        group.write("INSERT INTO k (v) VALUES ('new')", "DELETE FROM k WHERE v = 'new'", "UPDATE k SET v = v || '!'");
        group.assertSame("k");
        group.write("INSERT INTO k (v) VALUES ('old')", "TRUNCATE k", "INSERT INTO k (v) VALUES ('young'), ('young')");
        group.assertSame("k");
    }

    @Test
    void a_unique_index_over_nullable_columns_is_no_key() throws SQLException {
        group.write("INSERT INTO nullable VALUES (1, 'a'), (NULL, 'b'), (NULL, 'b')");
        group.assertSame("nullable");
        group.write(
                "UPDATE nullable SET a = 2 WHERE a = 1",
                "INSERT INTO nullable VALUES (1, 'took over')",
                "DELETE FROM nullable WHERE ctid IN (SELECT ctid FROM nullable WHERE a IS NULL LIMIT 1)");
        group.assertSame("nullable");
    }

    @Test
    void a_duplicate_that_a_companion_holds_is_left_to_it() throws SQLException {
        group.write("TRUNCATE k", "INSERT INTO k (v) VALUES ('twin'), ('twin')");
        group.assertSame("k");
        try (Connection companion = group.replicas().get(0).connect();
                Statement statement = companion.createStatement()) {
            statement.execute("SET session_replication_role = replica; BEGIN;"
                    + " DELETE FROM k WHERE ctid = (SELECT ctid FROM k WHERE v = 'twin' LIMIT 1)");
            group.write("DELETE FROM k WHERE ctid = (SELECT ctid FROM k WHERE v = 'twin' LIMIT 1)");
            group.synchronize();
            statement.execute("COMMIT");
        }
        group.write("SET session_replication_role = replica; DELETE FROM k WHERE v = 'twin'");
        group.assertSame("k");
    }
}
