package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** VACUUM, ANALYZE and their kind: on one node, or with {@code ddlrep.maintenance = 'all'} on every one. */
class MaintenanceIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ALL = "SET ddlrep.maintenance = 'all'; ";

    /** Each of the statements leaves another line here. */
    private static final String TRACES = "SELECT pg_relation_filenode('t'), pg_relation_filenode('t_pkey'),"
            + " (SELECT relallvisible FROM pg_class WHERE oid = 't'::regclass),"
            + " (SELECT count(*) FROM pg_stats WHERE tablename = 't')";

    private static TestGroup group;

    @BeforeAll
    static void start() {
        group = TestGroup.create("maintenance");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        group.run("DROP TABLE IF EXISTS t");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text) WITH (autovacuum_enabled = off)");
        group.run("CLUSTER t USING t_pkey");
        group.origin().execute("INSERT INTO t SELECT g, md5(g::text) FROM generate_series(1, 500) g");
        group.synchronize();
    }

    private static List<String> traces() throws SQLException {
        List<String> traces = new ArrayList<>();
        for (PgNode node : group.nodes().nodes()) {
            traces.add(node.queryText("SELECT t::text FROM (" + TRACES + ") t"));
        }
        return traces;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "VACUUM t",
                "VACUUM (FULL, VERBOSE, ANALYZE) public.t (id)",
                "VACUUM",
                "ANALYZE t",
                "ANALYSE VERBOSE",
                "CLUSTER",
                "REINDEX SCHEMA public",
                "REINDEX (CONCURRENTLY) SCHEMA public"
            })
    void it_stays_where_it_was_sent_or_runs_on_every_node(String sql) throws Exception {
        List<String> before = traces();
        long operations = group.operations();
        group.run(sql);
        List<String> one = traces();
        assertThat(one.get(0)).isNotEqualTo(before.get(0));
        assertThat(one.subList(1, 3)).isEqualTo(before.subList(1, 3));
        assertThat(group.operations()).isEqualTo(operations);
        try (TestClient client = group.client()) {
            // A client that has run DDL before has its sessions on the replicas already; this setting is a superuser's.
            client.run("COMMENT ON TABLE t IS 'x'; SET allow_in_place_tablespaces = on; " + ALL + sql);
        }
        List<String> every = traces();
        assertThat(every.get(1)).isNotEqualTo(before.get(1));
        assertThat(every.get(2)).isNotEqualTo(before.get(2));
        assertThat(group.operations()).isEqualTo(operations + 2);
        assertThat(group.lastOperation()).isEqualTo("committed");
        group.origin().execute("UPDATE t SET v = 'x' WHERE id = 1");
        group.assertEqualNodes();
    }

    @Test
    void in_a_block_or_of_other_tables_it_stays() throws Exception {
        group.local(1, "CREATE TABLE IF NOT EXISTS own (id integer PRIMARY KEY)", "INSERT INTO own VALUES (1)");
        List<String> before = traces();
        long operations = group.operations();
        try (TestClient client = group.client()) {
            client.run(ALL + "BEGIN; ANALYZE t; COMMIT; ANALYZE own; VACUUM own, t; CREATE TEMP TABLE mine (a integer);"
                    + " VACUUM mine");
            assertThat(client.refused("BEGIN; VACUUM t").sqlState()).isEqualTo("25001");
            client.run("ROLLBACK");
            assertThat(client.refused("VACUUM missing").sqlState()).isEqualTo("42P01");
        }
        assertThat(traces().subList(1, 3)).isEqualTo(before.subList(1, 3));
        assertThat(group.operations()).isEqualTo(operations);
        group.local(1, "DROP TABLE own");
    }

    @Test
    void a_failure_on_one_node_is_told_with_its_name_and_stops_the_others() throws Exception {
        try (Connection holder = group.node(3).connect();
                Statement holds = holder.createStatement();
                TestClient client = group.client()) {
            holder.setAutoCommit(false);
            holds.execute("LOCK TABLE t IN SHARE UPDATE EXCLUSIVE MODE");
            CompletableFuture<ServerError> told =
                    CompletableFuture.supplyAsync(() -> client.refused(ALL + "VACUUM (ANALYZE) t"));
            String waits = " FROM pg_locks WHERE relation = 't'::regclass AND NOT granted"
                    + " AND mode = 'ShareUpdateExclusiveLock'";
            await().atMost(LIMIT).until(() -> "1".equals(group.node(3).queryText("SELECT count(*)" + waits)));
            group.node(3).queryText("SELECT pg_cancel_backend(pid)" + waits);
            ServerError error = told.orTimeout(60, TimeUnit.SECONDS).join();
            assertThat(error.sqlState()).isEqualTo("57014");
            assertThat(error.where()).contains("on node n3").contains("keep what they have done");
            assertThat(group.lastOperation()).isEqualTo("rolled_back");
            holder.rollback();
            client.run("VACUUM (ANALYZE) t; ALTER TABLE t ADD COLUMN w integer");
        }
        group.assertEqualNodes();
    }

    @Test
    void the_clients_cancel_reaches_every_node() throws Exception {
        try (Connection holder = group.node(2).connect();
                Statement holds = holder.createStatement();
                TestClient client = group.client()) {
            holder.setAutoCommit(false);
            holds.execute("LOCK TABLE t IN SHARE UPDATE EXCLUSIVE MODE");
            CompletableFuture<ServerError> told = CompletableFuture.supplyAsync(() -> client.refused(ALL + "VACUUM t"));
            String waits = "SELECT count(*) FROM pg_locks WHERE relation = 't'::regclass AND NOT granted";
            await().atMost(LIMIT).until(() -> "1".equals(group.node(2).queryText(waits)));
            client.cancel();
            assertThat(told.orTimeout(60, TimeUnit.SECONDS).join().sqlState()).isEqualTo("57014");
            await().atMost(LIMIT).until(() -> "0".equals(group.node(2).queryText(waits)));
            holder.rollback();
        }
        group.run("ALTER TABLE t ADD COLUMN w integer");
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @CsvSource({"maintenance, 'local, all'", "notices, 'off, summary, steps, auto'", "node_down, 'fail, queue'"})
    void a_setting_that_means_nothing_is_told_with_what_is_known(String setting, String known) throws Exception {
        try (TestClient client = group.client()) {
            ServerError error =
                    client.refused("SET ddlrep." + setting + " = 'everywhere'; ALTER TABLE t ADD COLUMN x integer");
            assertThat(error.sqlState()).isEqualTo("22023");
            assertThat(error.message()).contains("ddlrep." + setting + " is one of " + known + ", not everywhere");
        }
    }
}
