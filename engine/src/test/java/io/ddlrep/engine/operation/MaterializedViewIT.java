package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.ServerError;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Materialized views have the same rows on every node. */
class MaterializedViewIT {
    private static TestGroup group;

    @BeforeAll
    static void start() {
        group = TestGroup.create("materialized");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        group.run("DROP MATERIALIZED VIEW IF EXISTS m, m2");
        group.run("DROP TABLE IF EXISTS t CASCADE");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v integer)");
        group.run("CREATE VIEW seen AS SELECT v, count(*) AS n FROM t GROUP BY v");
        group.origin().execute("INSERT INTO t SELECT g, g % 3 FROM generate_series(1, 30) g");
    }

    private void assertRows(String view, String... rows) throws SQLException {
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryRows("SELECT * FROM " + view + " ORDER BY 1"))
                    .as("n" + node)
                    .containsExactly(rows);
        }
        group.assertEqualNodes();
    }

    @Test
    void it_is_filled_with_rows_that_no_replica_had_yet() throws SQLException {
        group.run("CREATE MATERIALIZED VIEW m AS SELECT * FROM seen");
        assertRows("m", "0|10", "1|10", "2|10");
        group.run("CREATE MATERIALIZED VIEW IF NOT EXISTS m AS SELECT 1");
        assertRows("m", "0|10", "1|10", "2|10");
    }

    @Test
    void it_is_filled_again_also_concurrently_and_behind_rows_of_the_same_transaction() throws SQLException {
        group.run("CREATE MATERIALIZED VIEW m AS SELECT * FROM seen WITH NO DATA");
        group.origin().execute("INSERT INTO t VALUES (100, 7)");
        group.run("REFRESH MATERIALIZED VIEW m");
        assertRows("m", "0|10", "1|10", "2|10", "7|1");
        group.run("CREATE UNIQUE INDEX ON m (v)");
        group.origin().execute("DELETE FROM t WHERE v = 0");
        group.run("REFRESH MATERIALIZED VIEW CONCURRENTLY m");
        assertRows("m", "1|10", "2|10", "7|1");
        try (TestClient client = group.client()) {
            client.run("BEGIN; DELETE FROM t WHERE v = 7; REFRESH MATERIALIZED VIEW m;"
                    + " CREATE MATERIALIZED VIEW m2 AS SELECT count(*) FROM m; COMMIT");
        }
        assertRows("m", "1|10", "2|10");
        assertRows("m2", "2");
    }

    @Test
    void rows_that_each_node_would_compute_otherwise_are_refused_and_nothing_is_left() throws SQLException {
        try (TestClient client = group.client()) {
            ServerError error = client.refused("CREATE MATERIALIZED VIEW m AS SELECT id, random() FROM t");
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.message()).contains("rows of materialized view");
        }
        assertThat(group.origin().queryRows("SELECT FROM pg_class WHERE relname = 'm'"))
                .isEmpty();
        group.assertEqualNodes();
    }

    @Test
    void a_role_that_may_fill_it_and_not_read_it_is_told_what_it_lacks() throws SQLException {
        group.run("CREATE MATERIALIZED VIEW m AS SELECT * FROM seen");
        group.run("CREATE ROLE ddlrep_test_filler LOGIN PASSWORD 'x'");
        group.run("GRANT MAINTAIN ON m TO ddlrep_test_filler");
        try (TestClient filler =
                group.client(group.engine(), group.origin(), new Credentials("ddlrep_test_filler", "x"))) {
            group.origin().execute("DELETE FROM t WHERE v = 0");
            ServerError error = filler.refused("REFRESH MATERIALIZED VIEW m");
            assertThat(error.sqlState()).isEqualTo("42501");
            assertThat(error.hint()).contains("SELECT on \"public\".\"m\"");
            assertRows("m", "0|10", "1|10", "2|10");
            group.run("GRANT SELECT ON m TO ddlrep_test_filler");
            filler.run("REFRESH MATERIALIZED VIEW m");
            assertRows("m", "1|10", "2|10");
        } finally {
            group.run("DROP MATERIALIZED VIEW IF EXISTS m");
            group.run("DROP ROLE ddlrep_test_filler");
        }
    }
}
