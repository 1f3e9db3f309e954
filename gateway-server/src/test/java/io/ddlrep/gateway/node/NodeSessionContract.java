package io.ddlrep.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine expects of a session, whatever it is made of. */
abstract class NodeSessionContract {
    private PgGroup group;
    NodeSession session;

    /** Opens a session as the superuser. */
    abstract NodeSession open(NodeAddress address, String user, String password);

    @BeforeEach
    void begin() {
        group = PgGroup.create("contract", 1);
        session = open();
    }

    @AfterEach
    void end() {
        session.close();
        group.close();
    }

    private NodeSession open() {
        PgNode node = group.node(1);
        return open(
                new NodeAddress("n1", node.host(), node.port(), node.database()), node.superuser(), node.password());
    }

    private String one(String sql, @Nullable Object... parameters) {
        return session.query(sql, parameters).get(0).text(0);
    }

    @Test
    void rows_come_in_text_form_by_name_and_by_place() {
        List<Row> rows =
                session.query("SELECT g AS n, NULL::text AS nothing, 'ü€' || g AS v, true AS f, '\\x01ff'::bytea AS b"
                        + " FROM generate_series(1, 2) g ORDER BY g");
        assertThat(rows).hasSize(2);
        Row row = rows.get(1);
        assertThat(row.names()).containsExactly("n", "nothing", "v", "f", "b");
        assertThat(row.number("n")).isEqualTo(2);
        assertThat(row.get("nothing")).isNull();
        assertThat(row.text("v")).isEqualTo("ü€2");
        assertThat(row.flag("f")).isTrue();
        assertThat(row.text(4)).isEqualTo("\\x01ff");
        assertThat(session.query("SELECT 1 WHERE false")).isEmpty();
    }

    @Test
    void parameters_of_every_kind_arrive_as_they_are() {
        assertThat(one("SELECT concat_ws('|', $1, $2, $3, $4)", "it's \\ \"ü\"", 5_000_000_000L, 7, true))
                .isEqualTo("it's \\ \"ü\"|5000000000|7|t");
        assertThat(one("SELECT ($1::text IS NULL)::text", (Object) null)).isEqualTo("true");
        assertThat(one("SELECT encode($1, 'hex')", (Object) new byte[] {0, -1, 10}))
                .isEqualTo("00ff0a");
        assertThat(one("SELECT to_json($1::text[])::text", Arrays.asList("a", "b\"c", "d,{}\\", "", null, "NULL")))
                .isEqualTo("[\"a\",\"b\\\"c\",\"d,{}\\\\\",\"\",null,\"NULL\"]");
        assertThat(one("SELECT ($2::int - $1::int + $2::int)::text", 1, 10)).isEqualTo("19");
    }

    @Test
    void several_statements_are_one_message_and_one_transaction() {
        List<List<Row>> answers = session.queryEach(
                "CREATE TABLE t (id int); INSERT INTO t VALUES ($1), ($2); SELECT id FROM t WHERE id > $1 -- the last; one\n;",
                1,
                2);
        assertThat(answers).hasSize(3);
        assertThat(answers.get(0)).isEmpty();
        assertThat(answers.get(2)).hasSize(1);
        assertThatThrownBy(() -> session.update("INSERT INTO t VALUES (9); SELECT 1/0"))
                .isInstanceOf(NodeException.class);
        assertThat(one("SELECT count(*) FROM t")).isEqualTo("2");
        assertThat(session.transactionStatus()).isEqualTo(TransactionStatus.IDLE);
    }

    @Test
    void changed_rows_are_counted() {
        session.execute("CREATE TABLE t (id int); INSERT INTO t SELECT generate_series(1, 10)");
        assertThat(session.update("UPDATE t SET id = id + 1 WHERE id > $1::int", 7))
                .isEqualTo(3);
        assertThat(session.update("DELETE FROM t WHERE false")).isZero();
        assertThat(session.update("CREATE TABLE u ()")).isZero();
        assertThat(session.update("SELECT 5")).isZero();
    }

    @Test
    void the_status_is_what_the_server_last_said() {
        session.execute("BEGIN");
        assertThat(session.transactionStatus()).isEqualTo(TransactionStatus.IN_TRANSACTION);
        assertThatThrownBy(() -> session.execute("SELECT 1/0")).isInstanceOf(NodeException.class);
        assertThat(session.transactionStatus()).isEqualTo(TransactionStatus.FAILED);
        session.execute("ROLLBACK");
        assertThat(session.transactionStatus()).isEqualTo(TransactionStatus.IDLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "57P01", "57P03"})
    void an_error_that_speaks_of_a_connection_ends_no_session(String state) {
        // As CREATE SUBSCRIPTION and dblink do, or any function of a user's.
        assertThatThrownBy(() ->
                        session.execute("DO $$BEGIN RAISE 'no such server' USING ERRCODE = '" + state + "'; END$$"))
                .isInstanceOfSatisfying(NodeException.class, e -> {
                    assertThat(e.sqlState()).isEqualTo(state);
                    assertThat(e.isConnectionLost()).isFalse();
                });
        assertThat(session.isClosed()).isFalse();
        assertThat(one("SELECT 1")).isEqualTo("1");
    }

    @Test
    void errors_carry_all_that_the_server_said() {
        session.execute("CREATE TABLE t (id int CONSTRAINT small CHECK (id < 10))");
        assertThatThrownBy(() -> session.execute("INSERT INTO t VALUES (11)"))
                .isInstanceOfSatisfying(NodeException.class, e -> {
                    assertThat(e.node()).isEqualTo("n1");
                    assertThat(e.sqlState()).isEqualTo("23514");
                    assertThat(e.error().detail()).contains("Failing row");
                    assertThat(e.error().table()).isEqualTo("t");
                    assertThat(e.error().constraint()).isEqualTo("small");
                    assertThat(e.isConnectionLost()).isFalse();
                });
        assertThatThrownBy(() -> session.query("SELECT nothing FROM t"))
                .isInstanceOfSatisfying(
                        NodeException.class,
                        e -> assertThat(e.error().position()).isEqualTo(8));
        assertThatThrownBy(() -> session.execute("DO $$BEGIN RAISE 'no' USING HINT = 'try', ERRCODE = '22012'; END$$"))
                .isInstanceOfSatisfying(NodeException.class, e -> {
                    assertThat(e.error().hint()).isEqualTo("try");
                    assertThat(e.error().where()).contains("PL/pgSQL");
                });
        assertThat(one("SELECT 1")).isEqualTo("1");
    }

    @Test
    void what_is_copied_out_is_read_to_its_end_or_given_up() {
        session.execute(
                "CREATE TABLE t (id int, v text); INSERT INTO t SELECT g, 'v' FROM generate_series(1, 50000) g");
        int lines = 0;
        try (NodeSession.CopySource source = session.copyOut("COPY t TO STDOUT")) {
            while (source.next() != null) {
                lines++;
            }
        }
        assertThat(lines).isEqualTo(50_000);
        try (NodeSession.CopySource source = session.copyOut("COPY t TO STDOUT")) {
            assertThat(source.next()).isNotNull();
        }
        try (NodeSession.CopySource source = session.copyOut("COPY (SELECT 1 / (3 - id) FROM t) TO STDOUT")) {
            assertThatThrownBy(() -> {
                        while (source.next() != null) {
                            assertThat(session.isClosed()).isFalse();
                        }
                    })
                    .isInstanceOfSatisfying(
                            NodeException.class, e -> assertThat(e.sqlState()).isEqualTo("22012"));
        }
        assertThatThrownBy(() -> session.copyOut("COPY nothing TO STDOUT")).isInstanceOf(NodeException.class);
        assertThat(one("SELECT count(*) FROM t")).isEqualTo("50000");
    }

    @Test
    void what_is_copied_in_is_kept_or_given_up() {
        session.execute("CREATE TABLE t (id int, v text)");
        try (NodeSession.CopySink sink = session.copyIn("COPY t FROM STDIN")) {
            for (int i = 0; i < 50_000; i++) {
                sink.write((i + "\tvalue\n").getBytes(StandardCharsets.UTF_8));
            }
            assertThat(sink.finish()).isEqualTo(50_000);
        }
        try (NodeSession.CopySink sink = session.copyIn("COPY t FROM STDIN")) {
            sink.write("1\tgiven up\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThatThrownBy(() -> {
                    try (NodeSession.CopySink sink = session.copyIn("COPY t FROM STDIN")) {
                        sink.write("x\ty\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));
                        sink.finish();
                    }
                })
                .isInstanceOfSatisfying(
                        NodeException.class, e -> assertThat(e.sqlState()).isEqualTo("22P02"));
        assertThat(one("SELECT count(*) FROM t")).isEqualTo("50000");
    }

    @Test
    void another_thread_cancels() {
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
            try {
                session.query("SELECT pg_sleep(60)");
                return new AssertionError("not cancelled");
            } catch (NodeException e) {
                return e;
            }
        });
        await().atMost(Duration.ofSeconds(30))
                .until(() -> "1"
                        .equals(group.node(1)
                                .queryText("SELECT count(*) FROM pg_stat_activity"
                                        + " WHERE wait_event = 'PgSleep' AND datname = current_database()")));
        session.cancel();
        assertThat(failure.join())
                .isInstanceOfSatisfying(
                        NodeException.class, e -> assertThat(e.sqlState()).isEqualTo("57014"));
        assertThat(one("SELECT 1")).isEqualTo("1");
    }

    @Test
    void a_session_that_the_server_ends_says_so() throws SQLException {
        String pid = one("SELECT pg_backend_pid()");
        group.node(1).execute("SELECT pg_terminate_backend(" + pid + ", 10000)");
        assertThatThrownBy(() -> session.query("SELECT 1"))
                .isInstanceOfSatisfying(
                        NodeException.class,
                        e -> assertThat(e.isConnectionLost()).isTrue());
        await().atMost(Duration.ofSeconds(10)).until(session::isClosed);
    }

    @Test
    void closing_rolls_back() throws SQLException {
        session.execute("CREATE TABLE t (id int)");
        session.execute("BEGIN; INSERT INTO t VALUES (1)");
        session.close();
        assertThat(session.isClosed()).isTrue();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> "0"
                        .equals(group.node(1)
                                .queryText("SELECT count(*) FROM pg_stat_activity"
                                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()")));
        assertThat(group.node(1).queryText("SELECT count(*) FROM t")).isEqualTo("0");
        session = open();
    }

    @Test
    void a_login_that_fails_keeps_the_servers_state() {
        PgNode node = group.node(1);
        assertThatThrownBy(() -> open(
                        new NodeAddress("n1", node.host(), node.port(), "nowhere"), node.superuser(), node.password()))
                .isInstanceOfSatisfying(
                        NodeException.class, e -> assertThat(e.sqlState()).isEqualTo("3D000"));
        assertThatThrownBy(() -> open(new NodeAddress("n1", "127.0.0.1", 1, "x"), "u", "p"))
                .isInstanceOfSatisfying(
                        NodeException.class,
                        e -> assertThat(e.isConnectionLost()).isTrue());
    }
}
