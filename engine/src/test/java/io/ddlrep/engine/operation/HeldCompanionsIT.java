package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Groups without prepared transactions: PostgreSQL's default. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HeldCompanionsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static TestGroup group;

    @BeforeAll
    static void start() {
        group = TestGroup.on(PgGroup.dedicated(3, PgServerOptions.defaults().withMaxPreparedTransactions(0)));
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
    }

    @Test
    @Order(1)
    void ddl_and_rows_reach_every_node() throws Exception {
        group.client()
                .run("BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = id; CREATE SEQUENCE s;"
                        + " ALTER TABLE t ALTER COLUMN x SET NOT NULL; COMMIT; DROP SEQUENCE s");
        group.assertEqualNodes();
        assertThat(group.node(3).queryText("SELECT sum(x) FROM t")).isEqualTo("55");
    }

    @Test
    @Order(2)
    void a_failure_on_a_replica_leaves_every_node_as_it_was() throws Exception {
        Map<String, List<String>> before = group.state();
        try (Fault fault = Fault.on(group, 3, "ADD COLUMN bad")) {
            assertThat(fault).isNotNull();
            ServerError error = TestClient.error(() -> group.run("ALTER TABLE t ADD COLUMN bad integer"));
            assertThat(error.sqlState()).isEqualTo(Fault.STATE);
        }
        group.assertUnchanged(before);
    }

    @Test
    @Order(3)
    void a_replica_that_is_lost_between_the_two_commits_is_dirty() throws Exception {
        try (FaultProxy proxy = FaultProxy.before(group.node(2))) {
            TestClient client = group.client(group.openEngine(proxy.node()));
            client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1");
            Hold hold = proxy.holdWhen(m -> m.text().contains("\0COMMIT\0"));
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> client.run("COMMIT"));
            hold.await(LIMIT);
            group.nodes().kill9(2);
            proxy.cut();
            commit.join();
        }
        assertThat(group.origin().queryText("SELECT sum(x) FROM t")).isEqualTo("10");
        assertThat(group.node(3).queryText("SELECT sum(x) FROM t")).isEqualTo("10");
        assertThat(group.replicaState(2)).startsWith("dirty|").contains("committed but not finished here");
        group.nodes().restart(2);
        GroupRecovery.Report report = group.recover();
        assertThat(report.clean()).isFalse();
        assertThat(report.toString()).contains("n2").contains("it is committed, but this node does not have it");
        ServerError refused = TestClient.error(() -> group.run("ALTER TABLE t ADD COLUMN y integer"));
        assertThat(refused.sqlState()).isEqualTo("55000");
        assertThat(refused.hint()).contains("ddlrep recover");
    }
}
