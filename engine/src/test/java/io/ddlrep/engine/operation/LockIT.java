package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.load.LoadGenerator;
import io.ddlrep.testkit.load.LoadPlan;
import io.ddlrep.testkit.load.TableWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ADD = "ALTER TABLE t ADD COLUMN x integer";

    private static final String DEFAULT = "ALTER TABLE t ALTER COLUMN v SET DEFAULT 'd'";

    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("lock");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        group.synchronize();
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void a_table_that_is_in_use_on_a_node_stops_the_operation_and_the_user_is_named(int node) throws Exception {
        Map<String, List<String>> before = group.state();
        try (NodeSession reader = group.session(group.node(node));
                TestClient client = group.client()) {
            reader.execute("SET application_name = 'report'");
            reader.execute("BEGIN");
            String pid =
                    reader.query("SELECT pg_backend_pid()::text FROM t").get(0).text(0);
            client.run("SET ddlrep.lock_wait = '700ms'");
            long began = System.nanoTime();
            ServerError error = client.refused(ADD);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(600), LIMIT);
            assertThat(error.sqlState()).isEqualTo("55P03");
            assertThat(error.message()).contains("\"public\".\"t\"").contains("700 ms");
            assertThat(error.detail())
                    .contains("node n" + node)
                    .contains("pid " + pid)
                    .contains("application \"report\"")
                    .contains("state idle in transaction")
                    .contains("age ")
                    .contains("query: SELECT pg_backend_pid()::text FROM t");
            assertThat(error.hint()).contains("ddlrep.lock_wait");
            group.assertUnchanged(before);
            reader.execute("COMMIT");
            client.run(ADD + "; ALTER TABLE t DROP COLUMN x");
        }
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRUNCATE t", "LOCK TABLE t", "LOCK TABLE t IN EXCLUSIVE MODE"})
    void a_client_that_holds_the_table_itself_goes_on(String first) throws Exception {
        try (TestClient client = group.client()) {
            client.run("BEGIN");
            client.run(first);
            client.run("INSERT INTO t VALUES (100, 'before')");
            client.run(ADD);
            client.run("INSERT INTO t VALUES (101, 'after', 1)");
            client.run("COMMIT");
        }
        group.assertEqualNodes();
        try (TestClient client = group.client()) {
            client.run("ALTER TABLE t DROP COLUMN x; DELETE FROM t");
            client.run("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        }
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void somebody_who_holds_the_table_whole_stops_the_operation_and_is_named(int node) throws Exception {
        Map<String, List<String>> before = group.state();
        try (NodeSession holder = group.session(group.node(node));
                TestClient client = group.client()) {
            holder.execute("BEGIN");
            holder.execute("LOCK TABLE t");
            String pid = holder.query("SELECT pg_backend_pid()::text").get(0).text(0);
            client.run("SET ddlrep.lock_wait = '700ms'");
            ServerError error = client.refused(ADD);
            assertThat(error.sqlState()).isEqualTo("55P03");
            assertThat(error.message()).contains("\"public\".\"t\"").contains("700 ms");
            assertThat(error.detail())
                    .contains("node n" + node)
                    .contains("pid " + pid)
                    .contains("AccessExclusiveLock");
            holder.execute("COMMIT"); // the comparison reads the definition, too
            group.assertUnchanged(before);
            holder.execute("BEGIN; LOCK TABLE t");
            client.run("SET ddlrep.lock_wait = '60s'");
            CompletableFuture<Void> altered = CompletableFuture.runAsync(() -> client.run(ADD));
            // Its definition cannot be read before the holder is gone, so that no operation has begun.
            await().atMost(LIMIT).until(() -> awaits(node));
            holder.execute("COMMIT");
            altered.join();
            client.run("ALTER TABLE t DROP COLUMN x");
        }
        group.assertEqualNodes();
    }

    private static boolean awaits(int node) {
        try (NodeSession session = group.session(group.node(node))) {
            return session.query("SELECT FROM pg_locks WHERE NOT granted AND relation = 't'::regclass")
                            .size()
                    > 0;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t VALIDATE CONSTRAINT c",
                "ALTER TABLE t SET (fillfactor = 70, toast.autovacuum_enabled = off), CLUSTER ON t_pkey",
                "ALTER TABLE t RESET (fillfactor), SET WITHOUT CLUSTER",
                "ALTER TABLE t ALTER v SET STATISTICS 500, ALTER COLUMN id SET (n_distinct = 3)",
                "ALTER TABLE t ALTER id RESET (n_distinct)",
                "ALTER INDEX t_pkey RENAME TO k; ALTER INDEX k RENAME TO t_pkey"
            })
    void what_the_server_does_while_others_write_and_read_is_done_so(String sql) throws Exception {
        group.run("ALTER TABLE t ADD CONSTRAINT c CHECK (id > 0) NOT VALID");
        try (NodeSession writer = group.session(group.origin());
                NodeSession reader = group.session(group.node(2));
                TestClient client = group.client()) {
            writer.execute("BEGIN");
            writer.execute("INSERT INTO t VALUES (500, 'w')");
            reader.execute("BEGIN");
            reader.query("SELECT FROM t");
            client.run("SET ddlrep.lock_wait = '20s'");
            client.run(sql);
            writer.execute("UPDATE t SET v = 'x' WHERE id = 500");
            writer.execute("COMMIT");
            reader.execute("COMMIT");
        }
        group.assertEqualNodes();
        group.run("ALTER TABLE t DROP CONSTRAINT c; DELETE FROM t WHERE id = 500");
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE u ADD FOREIGN KEY (t) REFERENCES t",
                "ALTER TABLE u ADD CONSTRAINT f FOREIGN KEY (t) REFERENCES t NOT VALID, ADD FOREIGN KEY (t) REFERENCES u",
                "ALTER TABLE u ADD FOREIGN KEY (t) REFERENCES t (id) ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE"
            })
    void what_the_server_does_while_others_read_is_done_so(String sql) throws Exception {
        group.run("CREATE TABLE u (id integer PRIMARY KEY, t integer)");
        try (NodeSession reader = group.session(group.origin());
                NodeSession elsewhere = group.session(group.node(2));
                TestClient client = group.client()) {
            for (NodeSession each : List.of(reader, elsewhere)) {
                each.execute("BEGIN");
                each.query("SELECT FROM t, u");
            }
            client.run("SET ddlrep.lock_wait = '20s'");
            client.run(sql);
            reader.execute("COMMIT");
            elsewhere.execute("COMMIT");
        }
        group.assertEqualNodes();
        group.origin().execute("INSERT INTO t VALUES (502, 'w')", "INSERT INTO u VALUES (502, 502), (503, NULL)");
        group.assertEqualNodes();
        group.run("DROP TABLE u; DELETE FROM t WHERE id = 502");
        group.assertEqualNodes();
    }

    @Test
    void a_key_is_validated_while_others_write_both_tables() throws Exception {
        group.run("CREATE TABLE u (id integer PRIMARY KEY, t integer); ALTER TABLE u ADD CONSTRAINT f"
                + " FOREIGN KEY (t) REFERENCES t NOT VALID");
        try (NodeSession writer = group.session(group.origin());
                TestClient client = group.client()) {
            writer.execute("BEGIN");
            writer.execute("INSERT INTO t VALUES (501, 'w')");
            writer.execute("INSERT INTO u VALUES (1, 501)");
            client.run("SET ddlrep.lock_wait = '20s'");
            client.run("ALTER TABLE u VALIDATE CONSTRAINT f");
            writer.execute("COMMIT");
        }
        group.assertEqualNodes();
        group.run("DROP TABLE u; DELETE FROM t WHERE id = 501");
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_prepared_transaction_is_named_by_its_gid(int node) throws Exception {
        String gid = "held-" + group.origin().database();
        try (NodeSession holder = group.session(group.node(node));
                TestClient client = group.client()) {
            holder.execute("SET session_replication_role = replica");
            holder.execute("BEGIN");
            holder.execute("LOCK TABLE t IN ROW EXCLUSIVE MODE");
            holder.execute("PREPARE TRANSACTION '" + gid + "'");
            try {
                client.run("SET ddlrep.lock_wait = '500ms'");
                ServerError error = client.refused(ADD);
                assertThat(error.sqlState()).isEqualTo("55P03");
                assertThat(error.detail()).contains("node n" + node).contains("prepared " + gid);
            } finally {
                holder.execute("ROLLBACK PREPARED '" + gid + "'");
            }
        }
        group.assertEqualNodes();
    }

    @Test
    void while_it_waits_no_request_of_ours_is_longer_than_a_slice_and_writers_go_on() throws Exception {
        try (NodeSession reader = group.session(group.origin());
                NodeSession watch = group.session(group.origin());
                TestClient client = group.client();
                LoadGenerator load =
                        LoadPlan.of(3, 11).add(1, TableWork.on("t").update()).start(group.origin()::connect)) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM t");
            load.awaitCommits(20, LIMIT);
            String pid = client.ask("SELECT pg_backend_pid()::text");
            client.run("SET ddlrep.lock_wait = '3s'");
            long began = System.nanoTime();
            CompletableFuture<ServerError> refused = CompletableFuture.supplyAsync(() -> client.refused(ADD));
            double longest = 0;
            while (!refused.isDone()) {
                longest = Math.max(
                        longest,
                        Double.parseDouble(watch.query(
                                        "SELECT coalesce(max(extract(epoch FROM clock_timestamp()"
                                                + " - waitstart)), 0)::text FROM pg_locks WHERE NOT granted AND pid = $1::int",
                                        pid)
                                .get(0)
                                .text(0)));
            }
            assertThat(refused.join().sqlState()).isEqualTo("55P03");
            // The slice is 100 ms; a plain wait would be three seconds. The rest is for a busy machine.
            assertThat(longest).isBetween(0.001, 0.6);
            assertThat(load.longestWaitSince(began)).isLessThan(Duration.ofMillis(1500));
            assertThat(load.stop().errors()).isEmpty();
            reader.execute("ROLLBACK");
        }
        group.assertEqualNodes();
    }

    @Test
    void it_takes_the_lock_as_soon_as_the_user_is_gone() throws Exception {
        try (NodeSession reader = group.session(group.node(2));
                TestClient client = group.client()) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM t");
            CompletableFuture<Void> altered = CompletableFuture.runAsync(() -> client.run(ADD));
            await().atMost(LIMIT).until(() -> group.lastOperation().equals("open"));
            assertThat(altered).isNotDone();
            reader.execute("COMMIT");
            altered.join();
            client.run("ALTER TABLE t DROP COLUMN x");
        }
        group.assertEqualNodes();
    }

    @Test
    void without_the_lock_of_our_own_the_statement_waits_by_itself() throws Exception {
        Map<String, List<String>> before = group.state();
        try (NodeSession reader = group.session(group.origin());
                NodeSession watch = group.session(group.origin());
                TestClient client = group.client()) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM t");
            String pid = client.ask("SELECT pg_backend_pid()::text");
            client.run("SET ddlrep.lock_wait = '2s'; SET ddlrep.ddl_change_table_lock = off");
            CompletableFuture<ServerError> refused = CompletableFuture.supplyAsync(() -> client.refused(DEFAULT));
            await().atMost(LIMIT)
                    .until(() -> watch
                            .query(
                                    "SELECT a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted"
                                            + " AND l.pid = $1::int",
                                    pid)
                            .stream()
                            .anyMatch(row -> row.text("query").equals(DEFAULT)));
            assertThat(refused.join().sqlState()).isEqualTo("55P03");
            group.assertUnchanged(before);
            reader.execute("ROLLBACK");
            client.run(ADD + "; UPDATE t SET x = 1; ALTER TABLE t DROP COLUMN x");
        }
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void an_index_is_made_while_readers_read(String lock) throws Exception {
        try (NodeSession reader = group.session(group.origin());
                NodeSession other = group.session(group.node(2));
                TestClient client = group.client()) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM t");
            other.execute("BEGIN");
            other.query("SELECT * FROM t");
            client.run("SET ddlrep.lock_wait = '2s'; SET ddlrep.ddl_change_table_lock = " + lock
                    + "; CREATE INDEX t_v ON t (v)");
            reader.execute("ROLLBACK");
            other.execute("ROLLBACK");
            client.run("DROP INDEX t_v");
        }
        group.assertEqualNodes();
    }

    @Test
    void a_new_column_needs_no_lock_on_the_other_end_of_a_foreign_key() throws Exception {
        group.run("CREATE TABLE kid (id integer PRIMARY KEY, t integer REFERENCES t)");
        try (NodeSession reader = group.session(group.origin());
                TestClient client = group.client()) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM t");
            client.run("SET ddlrep.lock_wait = '2s'; ALTER TABLE kid ADD COLUMN x integer;"
                    + " ALTER TABLE kid ALTER COLUMN x SET NOT NULL");
            // A foreign key that goes takes its triggers on the other end along.
            assertThat(client.refused("ALTER TABLE kid DROP COLUMN t").sqlState())
                    .isEqualTo("55P03");
            reader.execute("ROLLBACK");
            client.run("ALTER TABLE kid DROP COLUMN t; DROP TABLE kid");
        }
        group.assertEqualNodes();
    }

    @Test
    void without_the_lock_of_our_own_a_weak_lock_stays_weak() throws Exception {
        try (NodeSession reader = group.session(group.origin());
                TestClient client = group.client()) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM t");
            client.run("SET ddlrep.lock_wait = '2s'; SET ddlrep.ddl_change_table_lock = off;"
                    + " ALTER TABLE t ALTER COLUMN v SET STATISTICS 50; ALTER TABLE t SET (fillfactor = 90)");
            reader.execute("ROLLBACK");
        }
        group.assertEqualNodes();
    }

    @Test
    void without_the_lock_of_our_own_rows_are_equal_while_writers_run() throws Exception {
        try (TestClient client = group.client();
                LoadGenerator load = LoadPlan.of(3, 5)
                        .add(2, TableWork.on("t").insert())
                        .add(2, TableWork.on("t").update())
                        .add(1, TableWork.on("t").delete())
                        .start(group.origin()::connect)) {
            load.awaitCommits(20, LIMIT);
            client.run("SET ddlrep.ddl_change_table_lock = off; ALTER TABLE t ADD COLUMN x integer DEFAULT 3");
            load.awaitCommits(20, LIMIT);
            client.run("ALTER TABLE t ALTER COLUMN x TYPE bigint");
            load.awaitCommits(20, LIMIT);
            client.run("ALTER TABLE t DROP COLUMN x");
            assertThat(load.stop().errors()).isEmpty();
        }
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void a_client_may_cancel_an_operation_that_waits(int node) throws Exception {
        Map<String, List<String>> before = group.state();
        try (NodeSession reader = group.session(group.node(node));
                TestClient client = group.client()) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM t");
            CompletableFuture<ServerError> refused = CompletableFuture.supplyAsync(() -> client.refused(ADD));
            await().atMost(LIMIT).until(() -> {
                client.cancel();
                return refused.isDone();
            });
            assertThat(refused.join().sqlState()).isEqualTo("57014");
            reader.execute("ROLLBACK");
        }
        group.assertUnchanged(before);
        group.assertEqualNodes();
    }

    @Test
    void a_deadlock_with_a_writer_ends_the_operation_at_once() throws Exception {
        group.run("CREATE TABLE u (id integer PRIMARY KEY)");
        try (NodeSession writer = group.session(group.origin());
                TestClient client = group.client()) {
            client.run("BEGIN; ALTER TABLE u ADD COLUMN x integer");
            writer.execute("BEGIN");
            writer.execute("UPDATE t SET v = 'w' WHERE id = 1");
            CompletableFuture<ServerError> loser = CompletableFuture.supplyAsync(
                    () -> TestClient.error(() -> writer.execute("INSERT INTO u VALUES (1)")));
            CompletableFuture<ServerError> other =
                    CompletableFuture.supplyAsync(() -> TestClient.error(() -> client.run(ADD)));
            await().atMost(LIMIT).until(() -> loser.isDone() || other.isDone());
            client.run("ROLLBACK");
            writer.execute("ROLLBACK");
            if (other.isDone() && !other.isCompletedExceptionally()) {
                assertThat(other.join().sqlState()).isEqualTo("40P01");
            } else {
                assertThat(loser.join().sqlState()).isEqualTo("40P01");
            }
        }
        group.run("DROP TABLE u");
        group.assertEqualNodes();
    }
}
