package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.proxy.FaultProxy;
import io.ddlrep.testkit.proxy.Hold;
import io.ddlrep.testkit.server.PgServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica that is down, hangs, or is lost in the middle of an operation. */
class NodeLossIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static TestGroup group;
    private FaultProxy proxy;
    private TriggerEngine engine;
    private TestClient client;
    private Map<String, List<String>> before;

    @BeforeAll
    static void start() {
        group = TestGroup.on(PgGroup.dedicated(3, PgServerOptions.defaults()));
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws Exception {
        group.run("DROP TABLE IF EXISTS t, made");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        group.synchronize();
        proxy = FaultProxy.before(group.node(2));
        engine = group.openEngine(proxy.node());
        client = group.client(engine);
        before = group.state();
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    private static Duration timed(Runnable task) {
        long began = System.nanoTime();
        task.run();
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private void assertUnreachable() {
        Duration took = timed(() -> {
            ServerError error = client.refused("ALTER TABLE t ADD COLUMN x integer");
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.message()).contains("node n2 cannot be reached");
        });
        assertThat(took).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void a_node_that_is_down_is_refused_before_anything_is_touched() throws Exception {
        client.run("CREATE TABLE made (id integer)");
        before = group.state();
        long operations = group.operations();
        group.nodes().server(2).stop();
        try {
            assertUnreachable();
            assertThat(group.operations()).isEqualTo(operations);
        } finally {
            restart();
        }
        group.assertUnchanged(before);
        client.run("ALTER TABLE t ADD COLUMN x integer");
        group.assertEqualNodes();
    }

    @Test
    void a_node_that_hangs_is_refused_before_anything_is_touched() throws Exception {
        client.run("CREATE TABLE made (id integer)");
        before = group.state();
        long operations = group.operations();
        proxy.hold();
        assertUnreachable();
        assertUnreachable();
        assertThat(group.operations()).isEqualTo(operations);
        proxy.release();
        group.assertUnchanged(before);
        client.run("ALTER TABLE t ADD COLUMN x integer");
        group.assertEqualNodes();
    }

    @Test
    void a_node_that_hangs_after_a_pause_is_refused() throws Exception {
        client.run("CREATE TABLE made (id integer)");
        before = group.state();
        await().pollDelay(Duration.ofMillis(1100)).until(() -> true);
        proxy.hold();
        assertUnreachable();
        proxy.release();
        group.assertUnchanged(before);
    }

    @Test
    void a_node_that_hangs_from_the_start_is_refused() throws Exception {
        proxy.hold();
        assertUnreachable();
        proxy.release();
        group.assertUnchanged(before);
    }

    /** Kills the replica, lets the client see it, and brings the replica back. */
    private void lose(Runnable seen) throws Exception {
        group.nodes().kill9(2);
        try {
            seen.run();
            assertThat(group.replicaState(2)).startsWith("dirty|").contains("operation");
            ServerError refused = TestClient.error(() -> group.run("ALTER TABLE t ADD COLUMN y integer"));
            assertThat(refused.sqlState()).isEqualTo("55000");
            assertThat(refused.message() + refused.detail()).contains("n2");
            assertThat(refused.hint()).contains("ddlrep recover");
            assertThat(group.recover().clean()).isFalse();
        } finally {
            restart();
        }
    }

    /** Sessions that were used less than a second ago are trusted, also when the server is another one by now. */
    private static void restart() {
        group.nodes().restart(2);
        await().atMost(LIMIT).pollDelay(Duration.ofMillis(1100)).until(() -> true);
    }

    /** Applied rows are not flushed by themselves: what a killed replica lost, with its position, comes again. */
    private void assertUnchangedAfterCrash() throws Exception {
        group.synchronize();
        group.assertUnchanged(before);
    }

    private static void assertRecovered() throws Exception {
        GroupRecovery.Report report = group.recover();
        assertThat(report.clean()).as(report.toString()).isTrue();
        assertThat(group.replicaState(2)).isEqualTo("active|");
        group.run("ALTER TABLE t ADD COLUMN later integer DEFAULT 4");
        group.origin().execute("UPDATE t SET later = id");
        group.assertEqualNodes();
    }

    @Test
    void a_replica_that_is_lost_between_statements_changes_nothing_anywhere() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1");
        lose(() -> {
            ServerError error = client.refused("ALTER TABLE t ADD COLUMN y integer");
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.message()).contains("n2 was lost");
            client.run("ROLLBACK");
        });
        assertUnchangedAfterCrash();
        assertRecovered();
    }

    @Test
    void a_replica_that_is_lost_before_commit_changes_nothing_anywhere() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1; CREATE TABLE made (id integer)");
        lose(() -> assertThat(client.refused("COMMIT").sqlState()).isEqualTo("55000"));
        client.rollback();
        assertUnchangedAfterCrash();
        assertRecovered();
    }

    @Test
    void a_replica_that_is_lost_while_a_statement_runs_changes_nothing_anywhere() throws Exception {
        client.run("BEGIN; CREATE TABLE made (id integer)");
        Hold hold = proxy.holdWhen(m -> m.contains("ADD COLUMN x"));
        CompletableFuture<ServerError> error =
                CompletableFuture.supplyAsync(() -> client.refused("ALTER TABLE t ADD COLUMN x integer"));
        hold.await(LIMIT);
        lose(() -> {
            proxy.cut();
            assertThat(error.join().sqlState()).isEqualTo("55000");
            client.run("ROLLBACK");
        });
        assertUnchangedAfterCrash();
        assertRecovered();
    }

    @Test
    void a_replica_that_is_lost_in_prepare_changes_nothing_anywhere() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1");
        Hold hold = proxy.holdReplyWhen(m -> m.contains("PREPARE TRANSACTION"));
        CompletableFuture<ServerError> error = CompletableFuture.supplyAsync(() -> client.refused("COMMIT"));
        hold.await(LIMIT);
        lose(() -> {
            proxy.cut();
            assertThat(error.join().sqlState()).isEqualTo("55000");
        });
        client.rollback();
        assertRecovered();
        assertThat(group.origin()
                        .queryText("SELECT count(*) FROM pg_attribute WHERE attrelid = 't'::regclass"
                                + " AND attname = 'x'"))
                .isEqualTo("0");
    }

    @Test
    void a_replica_that_is_lost_after_prepare_is_finished_when_it_is_back() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1");
        Hold hold = proxy.holdWhen(m -> m.contains("COMMIT PREPARED"));
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> client.run("COMMIT"));
        hold.await(LIMIT);
        lose(() -> {
            proxy.cut();
            commit.join();
        });
        assertThat(group.origin().queryText("SELECT sum(x) FROM t")).isEqualTo("10");
        assertRecovered();
        assertThat(group.node(2).queryText("SELECT sum(x) FROM t")).isEqualTo("10");
    }
}
