package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureIT {
    private static final List<String> SCRIPT = List.of(
            "CREATE TABLE a (id integer PRIMARY KEY, t integer REFERENCES t)",
            "INSERT INTO a SELECT g, g FROM generate_series(1, 5) g",
            "ALTER TABLE t ADD COLUMN extra text",
            "UPDATE t SET extra = code WHERE id <= 20",
            "CREATE SEQUENCE s",
            "UPDATE t SET n = nextval('s')",
            "ALTER TABLE t ALTER COLUMN n SET NOT NULL",
            "CREATE INDEX t_extra ON t (extra)",
            "INSERT INTO t (id, code, n, extra) VALUES (100, 'new', 100, 'x')",
            "ALTER TABLE t RENAME COLUMN extra TO more");

    private static TestGroup group;
    private static Map<String, List<String>> before;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("failure");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, code text UNIQUE, n integer)");
        group.origin().execute("INSERT INTO t SELECT g, 'c' || g, g FROM generate_series(1, 50) g");
        group.synchronize();
        before = group.state();
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    static Stream<Arguments> positions_and_nodes() {
        return IntStream.of(2, 6, 9).boxed().flatMap(FailureIT::on_each_node);
    }

    static Stream<Arguments> all_positions_and_nodes() {
        return IntStream.of(0, 2, 4, 6, 7, 9).boxed().flatMap(FailureIT::on_each_node);
    }

    private static Stream<Arguments> on_each_node(int position) {
        return IntStream.rangeClosed(1, 3).mapToObj(node -> Arguments.of(position, node));
    }

    @ParameterizedTest
    @MethodSource("positions_and_nodes")
    void ddl_that_fails_on_a_node_leaves_every_node_as_it_was(int position, int node) throws Exception {
        fails_at(position, node);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("all_positions_and_nodes")
    void ddl_that_fails_anywhere_on_a_node_leaves_every_node_as_it_was(int position, int node) throws Exception {
        fails_at(position, node);
    }

    private static void fails_at(int position, int node) throws Exception {
        ServerError error;
        try (Fault fault = Fault.on(group, node, SCRIPT.get(position));
                TestClient client = group.client()) {
            assertThat(fault).isNotNull();
            client.run("BEGIN; " + String.join("; ", SCRIPT.subList(0, position)));
            error = client.refused(SCRIPT.get(position));
            assertThat(client.session().transactionStatus()).isEqualTo(TransactionStatus.FAILED);
            assertThat(client.refused("SELECT 1").sqlState()).isEqualTo("25P02");
            client.run("COMMIT");
            assertThat(client.session().transactionStatus()).isEqualTo(TransactionStatus.IDLE);
        }
        assertThat(error.sqlState()).isEqualTo(Fault.STATE);
        assertThat(error.message()).isEqualTo(Fault.MESSAGE);
        assertThat(error.detail()).isEqualTo(Fault.DETAIL);
        assertThat(error.hint()).isEqualTo(Fault.HINT);
        if (node == 1) {
            assertThat(error.where()).doesNotContain("ddlrep: on node");
        } else {
            assertThat(error.where()).contains("ddlrep: on node n" + node);
        }
        group.assertUnchanged(before);
        assertThat(group.lastOperation()).isEqualTo("rolled_back");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 8})
    void rows_that_the_origin_refuses_leave_every_node_as_it_was(int position) throws Exception {
        try (TestClient client = group.client()) {
            client.run("BEGIN; " + String.join("; ", SCRIPT.subList(0, Math.max(position, 3))));
            assertThat(client.refused("INSERT INTO t (id, code, n) VALUES (1, 'again', 1)")
                            .sqlState())
                    .isEqualTo("23505");
            client.run("COMMIT");
        }
        group.assertUnchanged(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void rows_that_a_replica_refuses_leave_every_node_as_it_was(int node) throws Exception {
        group.local(node, "INSERT INTO t VALUES (999, 'new', 0)");
        Map<String, List<String>> drifted = group.state();
        try (TestClient client = group.client()) {
            client.run("BEGIN; " + String.join("; ", SCRIPT.subList(0, 9)));
            ServerError error = client.refused(SCRIPT.get(9));
            assertThat(error.sqlState()).isEqualTo("23505");
            assertThat(error.constraint()).isEqualTo("t_code_key");
            assertThat(error.detail()).contains("(code)=(new)");
            assertThat(error.where()).contains("ddlrep: on node n" + node);
            client.run("ROLLBACK");
            group.assertUnchanged(drifted);
        } finally {
            group.local(node, "DELETE FROM t WHERE id = 999");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void an_object_that_is_on_a_replica_alone_stops_the_script(int node) throws Exception {
        group.local(node, "CREATE VIEW a AS SELECT 1 AS one");
        try {
            ServerError error = TestClient.error(() -> group.run(String.join("; ", SCRIPT)));
            assertThat(error.sqlState()).isEqualTo("42P07");
            assertThat(error.where()).contains("ddlrep: on node n" + node);
        } finally {
            group.local(node, "DROP VIEW a");
        }
        group.assertUnchanged(before);
    }

    @Test
    void the_position_in_the_statement_reaches_the_client() throws Exception {
        try (TestClient client = group.client()) {
            ServerError error = client.refused("ALTER TABLE t ADD COLUMN x no_such_type");
            assertThat(error.sqlState()).isEqualTo("42704");
            assertThat(error.position()).isEqualTo(28);
            assertThat(client.session().transactionStatus()).isEqualTo(TransactionStatus.IDLE);
        }
        group.assertUnchanged(before);
    }

    @Test
    void a_deferred_constraint_that_fails_at_commit_leaves_every_node_as_it_was() throws Exception {
        try (TestClient client = group.client()) {
            client.run("BEGIN; CREATE TABLE b (id integer PRIMARY KEY, t integer REFERENCES t DEFERRABLE INITIALLY"
                    + " DEFERRED); INSERT INTO b VALUES (1, 4711)");
            assertThat(client.refused("COMMIT").sqlState()).isEqualTo("23503");
            assertThat(client.isOperationOpen()).isFalse();
            client.run("ROLLBACK");
        }
        group.assertUnchanged(before);
    }

    @Test
    void the_whole_script_works_where_nothing_fails() throws Exception {
        try (TestGroup other = TestGroup.create("failure")) {
            other.run("CREATE TABLE t (id integer PRIMARY KEY, code text UNIQUE, n integer)");
            other.origin().execute("INSERT INTO t SELECT g, 'c' || g, g FROM generate_series(1, 50) g");
            other.client().run("BEGIN; " + String.join("; ", SCRIPT) + "; COMMIT");
            other.assertEqualNodes();
            assertThat(other.node(3).queryText("SELECT more FROM t WHERE id = 100"))
                    .isEqualTo("x");
        }
    }
}
