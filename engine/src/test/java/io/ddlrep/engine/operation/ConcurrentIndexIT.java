package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.control.OperationProgress;
import io.ddlrep.engine.control.OperationProgressReader;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.proxy.FaultProxy;
import java.io.File;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CREATE INDEX CONCURRENTLY: a valid index on every node, or none on any. */
class ConcurrentIndexIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String INDEXES = "SELECT c.relname || ' ' || i.indisvalid FROM pg_index i"
            + " JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'public.t'::regclass ORDER BY 1";
    private static final String NOTES = "SELECT op FROM ddlrep.outside";

    private static TestGroup group;

    @TempDir
    private File logs;

    @BeforeAll
    static void start() {
        group = TestGroup.create("concurrent");
    }

    @BeforeEach
    void fill() throws SQLException {
        group.run("DROP TABLE IF EXISTS t, p, p1");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v integer)");
        group.origin().execute("INSERT INTO t SELECT g, g FROM generate_series(1, 100) g");
        group.synchronize();
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private void assertIndexes(String... expected) throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows(INDEXES)).as(node.name()).containsExactly(expected);
            assertThat(node.queryRows(NOTES)).as(node.name()).isEmpty();
        }
    }

    /** Keeps every build on a node from its end, for as long as it is open. */
    private static Connection writer(PgNode node) throws SQLException {
        Connection writer = node.connect();
        writer.setAutoCommit(false);
        try (Statement statement = writer.createStatement()) {
            statement.execute("SET session_replication_role = replica");
            statement.execute("LOCK TABLE t IN ROW EXCLUSIVE MODE");
        }
        return writer;
    }

    private static void awaitBuild(PgNode node) {
        await().atMost(LIMIT)
                .until(() -> !node.queryRows("SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE%CONCURRENTLY%'"
                                + " AND wait_event_type = 'Lock' AND datname = current_database()")
                        .isEmpty());
    }

    /** A build that waits on node 2 now, and is going to fail. */
    private static CompletableFuture<ServerError> failingBuild(TestClient client) {
        CompletableFuture<ServerError> told =
                CompletableFuture.supplyAsync(() -> client.refused("CREATE INDEX CONCURRENTLY i ON t (v)"));
        awaitBuild(group.node(2));
        return told;
    }

    @Test
    void the_index_is_made_on_every_node() throws Exception {
        try (TestClient client = group.client()) {
            client.run("SET search_path = nowhere, public; CREATE INDEX CONCURRENTLY ON t (v);"
                    + " CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS named ON t (v DESC);"
                    + " CREATE INDEX CONCURRENTLY IF NOT EXISTS named ON t (id)");
            assertThat(client.ask("SHOW ddlrep.outside")).isEmpty();
        }
        assertIndexes("named true", "t_pkey true", "t_v_idx true");
        group.run("ALTER TABLE t ADD COLUMN w integer");
        group.assertEqualNodes();
    }

    @Test
    void an_index_is_dropped_on_every_node_or_on_none() throws Exception {
        group.run("CREATE INDEX i ON t (v)");
        try (TestClient client = group.client();
                Connection writer = writer(group.node(3))) {
            client.run("SET ddlrep.lock_wait = '1s'");
            assertThat(client.refused("DROP INDEX CONCURRENTLY IF EXISTS i").sqlState())
                    .isEqualTo("55P03");
            assertIndexes("i true", "t_pkey true");
            writer.rollback();
            client.run("DROP INDEX CONCURRENTLY IF EXISTS i");
            assertIndexes("t_pkey true");
            assertThat(client.refused("BEGIN; DROP INDEX CONCURRENTLY t_pkey").sqlState())
                    .isEqualTo("25001");
        }
        group.run("CREATE TABLE p (id integer) PARTITION BY RANGE (id); CREATE INDEX parted ON p (id)");
        try (TestClient client = group.client()) {
            assertThat(client.refused("DROP INDEX CONCURRENTLY parted").message())
                    .isEqualTo("cannot drop partitioned index \"parted\" concurrently");
        }
        group.assertEqualNodes();
    }

    @Test
    void a_partition_is_detached_on_every_node_and_its_rows_are_captured_on() throws Exception {
        group.run("CREATE TABLE p (id integer PRIMARY KEY) PARTITION BY RANGE (id)");
        group.run("CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (1) TO (10)");
        group.origin().execute("INSERT INTO p VALUES (1), (2)");
        group.run("ALTER TABLE p DETACH PARTITION p1 CONCURRENTLY");
        group.origin().execute("INSERT INTO p1 VALUES (3)");
        group.synchronize();
        assertThat(group.node(2).queryRows("SELECT id FROM p1 ORDER BY id")).containsExactly("1", "2", "3");
        group.assertEqualNodes();
    }

    @Test
    void rows_that_only_one_replica_has_leave_no_index_on_any_node() throws Exception {
        group.local(3, "INSERT INTO t VALUES (1000, 1)");
        try (TestClient client = group.client()) {
            ServerError error = client.refused("CREATE UNIQUE INDEX CONCURRENTLY i ON t (v)");
            assertThat(error.sqlState()).isEqualTo("23505");
            assertThat(error.where()).contains("on node n3");
        }
        assertIndexes("t_pkey true");
        assertThat(group.lastOperation()).isEqualTo("rolled_back");
    }

    @Test
    void what_the_origin_refuses_is_its_own_error() throws Exception {
        group.origin().execute("INSERT INTO t VALUES (1000, 1)");
        group.synchronize();
        try (TestClient client = group.client()) {
            assertThat(client.refused("CREATE UNIQUE INDEX CONCURRENTLY i ON t (v)")
                            .sqlState())
                    .isEqualTo("23505");
            assertThat(client.refused("CREATE INDEX CONCURRENTLY i ON missing (v)")
                            .sqlState())
                    .isEqualTo("42P01");
            assertThat(client.refused("CREATE INDEX CONCURRENTLY i ON t (missing)")
                            .sqlState())
                    .isEqualTo("42703");
            assertThat(client.refused("BEGIN; CREATE INDEX CONCURRENTLY i ON t (v)")
                            .sqlState())
                    .isEqualTo("25001");
        }
        assertIndexes("t_pkey true");
    }

    @Test
    void who_builds_and_who_waits_is_told_node_by_node() throws Exception {
        try (TestClient client = group.client();
                Connection writer = writer(group.node(2));
                NodeSession origin = group.session(group.origin())) {
            CompletableFuture<Void> made =
                    CompletableFuture.runAsync(() -> client.run("CREATE INDEX CONCURRENTLY i ON t (v)"));
            awaitBuild(group.node(2));
            List<OperationProgress> told = new OperationProgressReader(
                            address -> group.session(group.node(address.name().charAt(1) - '0')))
                    .read(origin, GroupReader.read(origin).orElseThrow())
                    .values()
                    .iterator()
                    .next();
            assertThat(told).extracting(OperationProgress::node).containsExactly("n1", "n2", "n3");
            OperationProgress second = told.get(1);
            assertThat(second.command()).isEqualTo("CREATE INDEX CONCURRENTLY");
            assertThat(second.phase()).isEqualTo("waiting for writers before build");
            assertThat(second.unit() + second.done() + second.total()).isEqualTo("lockers01");
            assertThat(second.blockers()).startsWith("pid ");
            writer.rollback();
            made.join();
        }
        assertIndexes("i true", "t_pkey true");
    }

    @Test
    void a_cancel_while_one_node_waits_leaves_nothing() throws Exception {
        try (TestClient client = group.client();
                Connection writer = writer(group.node(2))) {
            CompletableFuture<ServerError> told = failingBuild(client);
            client.cancel();
            assertThat(told.join().sqlState()).isEqualTo("57014");
            // The lock of the writer is no obstacle once it is gone; until then the node has an index that is not
            // valid.
            writer.rollback();
            assertThat(client.ask("SELECT 1")).isEqualTo("1");
        }
        group.recover();
        assertIndexes("t_pkey true");
        group.run("CREATE INDEX CONCURRENTLY i ON t (v)");
        assertIndexes("i true", "t_pkey true");
    }

    @Test
    void a_node_that_is_lost_half_way_has_nothing_once_it_is_back() throws Exception {
        FaultProxy proxy = group.closing(FaultProxy.before(group.node(2)));
        TriggerEngine engine = group.openEngine(proxy.node());
        try (TestClient client = group.client(engine);
                Connection writer = writer(group.node(2))) {
            CompletableFuture<ServerError> told = failingBuild(client);
            proxy.cut();
            assertThat(told.join().message()).contains("n2");
            writer.rollback();
        }
        assertThat(group.recover().clean()).isTrue();
        assertIndexes("t_pkey true");
        group.run("ALTER TABLE t ADD COLUMN w integer");
        group.assertEqualNodes();
    }

    @Test
    void recovery_takes_back_what_a_killed_coordinator_left() throws IOException, InterruptedException, SQLException {
        PgNode node = group.origin();
        try (Connection writer = writer(group.node(2))) {
            Process child =
                    CoordinatorDeathIT.child(node, node, group.node(2), logs, "CREATE INDEX CONCURRENTLY i ON t (v)");
            try {
                awaitBuild(group.node(2));
            } finally {
                child.destroyForcibly().waitFor();
            }
            assertThat(writer.isClosed()).isFalse();
        }
        assertThat(group.recover().clean()).isTrue();
        assertIndexes("t_pkey true");
    }

    @Test
    void code_that_runs_while_the_index_is_built_cannot_change_the_schema() throws Exception {
        group.run("CREATE FUNCTION sneaky(integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql AS"
                + " 'BEGIN EXECUTE ''ALTER TABLE public.t ADD COLUMN IF NOT EXISTS bad integer''; RETURN $1; END'");
        try (TestClient client = group.client()) {
            assertThat(client.refused("CREATE INDEX CONCURRENTLY i ON t (sneaky(v))")
                            .sqlState())
                    .isIn("0A000", "55006");
        }
        assertIndexes("t_pkey true");
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows("SELECT FROM pg_attribute WHERE attname = 'bad'"))
                    .isEmpty();
        }
    }
}
