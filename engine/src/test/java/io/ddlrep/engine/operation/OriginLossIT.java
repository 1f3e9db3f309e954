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

/** The origin, or the client's connection to it, is lost in the middle of an operation. */
class OriginLossIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static TestGroup group;
    private FaultProxy proxy;
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
        group.run("DROP TABLE IF EXISTS t");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        group.synchronize();
        before = group.state();
        proxy = FaultProxy.before(group.origin());
        client = group.client(group.engine(), proxy.node(), group.superuser());
        client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1");
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    private static void assertCommitted() throws Exception {
        assertThat(group.recover().clean()).isTrue();
        group.assertEqualNodes();
        assertThat(group.node(2).queryText("SELECT sum(x) FROM t")).isEqualTo("10");
        assertThat(group.lastOperation()).isEqualTo("committed");
    }

    private void assertRolledBack() throws Exception {
        assertThat(group.recover().clean()).isTrue();
        group.assertUnchanged(before);
        assertThat(group.lastOperation()).isEqualTo("rolled_back");
        group.run("ALTER TABLE t ADD COLUMN y integer");
        group.assertEqualNodes();
    }

    @Test
    void a_lost_connection_before_commit_rolls_everything_back() throws Exception {
        proxy.cut();
        assertThat(client.refused("ALTER TABLE t ADD COLUMN y integer").sqlState())
                .startsWith("08");
        await().atMost(LIMIT).until(() -> group.lastOperation().equals("rolled_back"));
        assertRolledBack();
    }

    @Test
    void a_commit_that_never_reached_the_origin_rolls_everything_back() throws Exception {
        Hold hold = proxy.holdWhen(m -> m.text().contains("\0COMMIT\0"));
        CompletableFuture<ServerError> error = CompletableFuture.supplyAsync(() -> client.refused("COMMIT"));
        hold.await(LIMIT);
        proxy.cut();
        assertThat(error.join().sqlState()).startsWith("08");
        assertRolledBack();
    }

    @Test
    void a_lost_answer_to_commit_tells_that_the_operation_is_committed() throws Exception {
        Hold hold = proxy.holdReplyWhen(m -> m.type() == 'C' && m.contains("COMMIT"));
        CompletableFuture<ServerError> error = CompletableFuture.supplyAsync(() -> client.refused("COMMIT"));
        hold.await(LIMIT);
        proxy.cut();
        assertThat(error.join().sqlState()).isEqualTo("08007");
        assertThat(error.join().message()).contains("is committed on every node");
        assertCommitted();
    }

    @Test
    void an_origin_that_is_killed_between_prepare_and_commit_has_not_committed() throws Exception {
        Hold hold = proxy.holdWhen(m -> m.text().contains("\0COMMIT\0"));
        CompletableFuture<ServerError> error = CompletableFuture.supplyAsync(() -> client.refused("COMMIT"));
        hold.await(LIMIT);
        group.nodes().kill9(1);
        proxy.cut();
        assertThat(error.join().sqlState()).isEqualTo("08007");
        assertThat(error.join().hint()).contains("ddlrep recover");
        assertThat(group.node(2).queryText("SELECT count(*) FROM pg_prepared_xacts"))
                .isEqualTo("1");
        group.nodes().restart(1);
        assertRolledBack();
    }

    @Test
    void an_origin_that_is_killed_after_its_commit_has_committed() throws Exception {
        // Also where the client does not wait for its commits.
        client.run("SET synchronous_commit = off");
        Hold hold = proxy.holdReplyWhen(m -> m.type() == 'C' && m.contains("COMMIT"));
        CompletableFuture<ServerError> error = CompletableFuture.supplyAsync(() -> client.refused("COMMIT"));
        hold.await(LIMIT);
        group.nodes().kill9(1);
        proxy.cut();
        assertThat(error.join().sqlState()).isEqualTo("08007");
        group.nodes().restart(1);
        assertCommitted();
    }
}
