package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.io.File;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** REINDEX of replicated tables: on every node, and no index that is not valid is left on any. */
class ReindexIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A rebuilt index has another file. */
    private static final String FILES = "SELECT c.relname || ' ' || c.relfilenode FROM pg_index i"
            + " JOIN pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i' WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1";

    private static final String BROKEN = "SELECT i.indexrelid::regclass FROM pg_index i WHERE NOT i.indisvalid";

    private static TestGroup group;

    @TempDir
    private File logs;

    @BeforeAll
    static void start() {
        group = TestGroup.create("reindex");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        group.run("DROP TABLE IF EXISTS t, p");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text); CREATE TABLE p (id integer PRIMARY KEY)"
                + " PARTITION BY RANGE (id); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (1) TO (10)");
        group.origin().execute("INSERT INTO t SELECT g, repeat(md5(g::text), 200) FROM generate_series(1, 50) g");
        group.synchronize();
    }

    private static List<List<String>> files(String index) throws SQLException {
        List<List<String>> files = new ArrayList<>();
        for (PgNode node : group.nodes().nodes()) {
            files.add(node.queryRows(FILES).stream()
                    .filter(f -> f.startsWith(index + " "))
                    .toList());
        }
        return files;
    }

    private static void assertNothingLeft() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows(BROKEN)).as(node.name()).isEmpty();
            assertThat(node.queryRows("SELECT op FROM ddlrep.outside"))
                    .as(node.name())
                    .isEmpty();
        }
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t_pkey|REINDEX TABLE t",
                "t_pkey|REINDEX INDEX CONCURRENTLY t_pkey",
                "t_pkey|REINDEX (VERBOSE, CONCURRENTLY) TABLE public.t",
                "p1_pkey|REINDEX TABLE p",
                "p1_pkey|REINDEX INDEX CONCURRENTLY p_pkey",
                "t_pkey|BEGIN; INSERT INTO t VALUES (0, ''); REINDEX INDEX t_pkey; COMMIT"
            })
    void every_node_builds_its_own_anew(String test) throws Exception {
        String index = test.substring(0, test.indexOf('|'));
        List<List<String>> before = files(index);
        group.run(test.substring(test.indexOf('|') + 1));
        List<List<String>> after = files(index);
        for (int node = 0; node < before.size(); node++) {
            assertThat(after.get(node)).as("node %d", node + 1).hasSize(1).isNotEqualTo(before.get(node));
        }
        assertThat(group.lastOperation()).isEqualTo("committed");
        group.origin().execute("INSERT INTO t VALUES (1000, 'x')", "DELETE FROM t WHERE id = 7");
        group.synchronize();
        assertNothingLeft();
    }

    @Test
    void a_client_that_has_run_ddl_before_takes_its_settings_along() throws Exception {
        List<List<String>> before = files("t_pkey");
        try (TestClient client = group.client()) {
            client.run("ALTER TABLE t ADD COLUMN w integer; SET allow_in_place_tablespaces = on; REINDEX TABLE t");
        }
        assertThat(files("t_pkey")).doesNotContainAnyElementsOf(before);
        assertNothingLeft();
    }

    @Test
    void what_is_rolled_back_or_reaches_beyond_a_table_changes_no_other_node() throws Exception {
        List<List<String>> before = files("t_pkey");
        group.run("BEGIN; REINDEX TABLE t; ROLLBACK");
        assertThat(files("t_pkey")).isEqualTo(before);
        long operations = group.operations();
        group.run("REINDEX SCHEMA public");
        group.run("CREATE TEMP TABLE mine (id integer PRIMARY KEY); REINDEX TABLE mine");
        assertThat(group.operations()).isEqualTo(operations);
        assertThat(files("t_pkey").subList(1, before.size())).isEqualTo(before.subList(1, before.size()));
        try (TestClient client = group.client()) {
            assertThat(client.refused("REINDEX TABLE missing").sqlState()).isEqualTo("42P01");
            assertThat(client.refused("BEGIN; REINDEX TABLE CONCURRENTLY t").sqlState())
                    .isEqualTo("25001");
        }
        assertNothingLeft();
    }

    @Test
    void duplicates_that_a_broken_index_hid_on_one_node_leave_nothing_behind() throws Exception {
        String invalid =
                "UPDATE pg_index SET indisready = %1$s, indisvalid = %1$s WHERE indexrelid = 't_pkey'::regclass";
        PgNode third = group.node(3);
        third.execute(
                "SET session_replication_role = replica",
                String.format(invalid, "false"),
                "INSERT INTO t VALUES (7, 'twice')",
                String.format(invalid, "true"));
        try (TestClient client = group.client()) {
            ServerError error = client.refused("REINDEX TABLE CONCURRENTLY t");
            assertThat(error.sqlState()).isEqualTo("23505");
            assertThat(error.where()).contains("on node n3");
        }
        assertThat(group.lastOperation()).isEqualTo("rolled_back");
        third.execute("SET session_replication_role = replica", "DELETE FROM t WHERE v = 'twice'");
        group.run("REINDEX TABLE CONCURRENTLY t");
        assertNothingLeft();
    }

    @Test
    void recovery_drops_what_a_killed_coordinator_left() throws IOException, InterruptedException, SQLException {
        PgNode node = group.origin();
        try (Connection writer = group.node(2).connect();
                Statement holds = writer.createStatement()) {
            writer.setAutoCommit(false);
            holds.execute("SET session_replication_role = replica; LOCK TABLE t IN ROW EXCLUSIVE MODE");
            Process child = CoordinatorDeathIT.child(node, node, group.node(2), logs, "REINDEX TABLE CONCURRENTLY t");
            try {
                await().atMost(LIMIT)
                        .until(() -> !group.node(2)
                                .queryRows("SELECT FROM pg_stat_activity WHERE query LIKE 'REINDEX%'"
                                        + " AND wait_event_type = 'Lock' AND datname = current_database()")
                                .isEmpty());
            } finally {
                child.destroyForcibly().waitFor();
            }
            assertThat(group.node(2).queryRows(BROKEN)).isNotEmpty();
        }
        assertThat(group.recover().clean()).isTrue();
        assertNothingLeft();
    }
}
