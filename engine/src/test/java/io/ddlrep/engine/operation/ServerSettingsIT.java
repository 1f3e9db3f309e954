package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Servers whose autovacuum never ends, and that have one slot for prepared transactions. */
class ServerSettingsIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static TestGroup group;

    @BeforeAll
    static void start() {
        group = TestGroup.on(PgGroup.dedicated(
                2,
                PgServerOptions.defaults()
                        .withMaxPreparedTransactions(1)
                        .withSetting("autovacuum_naptime", "1s")
                        .withSetting("autovacuum_vacuum_cost_delay", "100ms")
                        .withSetting("autovacuum_vacuum_cost_limit", "1")));
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text) WITH (autovacuum_enabled = off)");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @Test
    void an_autovacuum_that_works_on_the_table_yields() throws Exception {
        group.origin()
                .execute(
                        "INSERT INTO t SELECT g, repeat('x', 100) FROM generate_series(1, 20000) g",
                        "UPDATE t SET v = v || 'y'");
        group.synchronize();
        group.run("ALTER TABLE t SET (autovacuum_enabled = on, autovacuum_vacuum_threshold = 1,"
                + " autovacuum_vacuum_scale_factor = 0)");
        PgNode origin = group.origin();
        await().atMost(LIMIT)
                .until(() -> "1"
                        .equals(origin.queryText("SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                                + " WHERE a.backend_type = 'autovacuum worker' AND l.relation = 't'::regclass"
                                + " AND l.mode = 'ShareUpdateExclusiveLock' AND l.granted")));
        try (TestClient client = group.client()) {
            client.run("SET ddlrep.lock_wait = '30s'; ALTER TABLE t ADD COLUMN x integer;"
                    + " ALTER TABLE t SET (autovacuum_enabled = off)");
        }
        group.assertEqualNodes();
    }

    @Test
    void no_free_slot_for_a_prepared_transaction_is_refused_before_anything_is_touched() throws Exception {
        Map<String, List<String>> before = group.state();
        long operations = group.operations();
        PgNode elsewhere = group.node(2).withDatabase("postgres");
        elsewhere.execute("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'somebody''s'");
        try (TestClient client = group.client()) {
            ServerError error = client.refused("ALTER TABLE t ADD COLUMN y integer");
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.message()).contains("node n2 has no free slot for a prepared transaction");
        } finally {
            elsewhere.execute("ROLLBACK PREPARED 'somebody''s'");
        }
        group.assertUnchanged(before);
        assertThat(group.operations()).isEqualTo(operations);
        group.run("ALTER TABLE t ADD COLUMN y integer");
        group.assertEqualNodes();
    }

    @Test
    void replicas_wait_for_the_origins_standbys_also_when_its_commit_no_longer_does() throws Exception {
        PgNode origin = group.origin();
        try (TestClient client = group.client()) {
            client.run("SET application_name = 'waits'; BEGIN; ALTER TABLE t ADD COLUMN z integer");
            origin.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()");
            awaitCommitsThatWait(origin);
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> client.run("COMMIT"));
            try {
                awaitStandbys(origin, "waits");
                cancel(origin, "waits");
                awaitStandbys(origin, "ddlrep service");
                assertThat(group.node(2).queryRows("SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'ddlrep:%'"))
                        .hasSize(1);
                assertThat(commit).isNotDone();
            } finally {
                origin.execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
            }
            commit.join();
        }
        group.assertEqualNodes();
        assertThat(group.lastOperation()).isEqualTo("committed");
    }

    /**
     * Until commits do wait: they ask a flag that the checkpointer sets, some time after {@code pg_reload_conf} has
     * returned (SyncRepUpdateSyncStandbysDefined in PostgreSQL's syncrep.c).
     */
    private static void awaitCommitsThatWait(PgNode origin) throws Exception {
        AtomicBoolean waited = new AtomicBoolean();
        CompletableFuture<Void> probe = CompletableFuture.runAsync(() -> {
            try (Connection connection = origin.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET application_name = 'probe'");
                while (!waited.get()) {
                    statement.execute("SELECT pg_logical_emit_message(true, '', '')");
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            awaitStandbys(origin, "probe");
        } finally {
            waited.set(true);
            cancel(origin, "probe");
        }
        probe.join();
    }

    private static void awaitStandbys(PgNode origin, String application) {
        await().atMost(LIMIT)
                .until(() -> origin.queryRows(
                                "SELECT application_name FROM pg_stat_activity WHERE datname = current_database()"
                                        + " AND wait_event = 'SyncRep'")
                        .contains(application));
    }

    private static void cancel(PgNode origin, String application) throws SQLException {
        origin.execute(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = '" + application + "'");
    }
}
