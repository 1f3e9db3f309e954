package io.ddlrep.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;

class FaultProxyIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    private PgGroup group;
    private PgNode direct;
    private FaultProxy proxy;

    @BeforeEach
    void open() throws SQLException {
        group = PgGroup.create("proxy", 1);
        direct = group.node(1);
        proxy = FaultProxy.before(direct);
        direct.execute("CREATE TABLE t (id int)");
    }

    @AfterEach
    void close() {
        proxy.close();
        group.close();
    }

    @Test
    void without_faults_all_bytes_arrive_unchanged() throws SQLException {
        String text = "ä€x".repeat(1_000_000);
        try (Connection connection = proxy.node().connect();
                var statement = connection.prepareStatement("SELECT ?::text")) {
            statement.setString(1, text);
            try (var rows = statement.executeQuery()) {
                rows.next();
                assertThat(rows.getString(1)).isEqualTo(text);
            }
            proxy.awaitConnections(1, LIMIT);
        }
        proxy.awaitConnections(0, LIMIT);
    }

    @Test
    void a_delay_is_added_to_every_round_trip_in_both_directions() throws SQLException {
        try (Connection connection = proxy.node().connect()) {
            execute(connection, "SELECT 1");
            proxy.delay(Duration.ofMillis(60), Duration.ofMillis(40));
            long start = System.nanoTime();
            execute(connection, "SELECT 1");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
            proxy.delay(Duration.ZERO, Duration.ZERO);
        }
    }

    @Test
    void a_delay_is_latency_and_does_not_add_up_over_a_large_result() throws SQLException {
        try (Connection connection = proxy.node().connect()) {
            proxy.delay(Duration.ZERO, Duration.ofMillis(100));
            long start = System.nanoTime();
            // 20,000 rows: message by message this would take half an hour.
            execute(connection, "SELECT repeat('x', 100) FROM generate_series(1, 20000)");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void hold_keeps_everything_back_until_release()
            throws SQLException, InterruptedException, ExecutionException, TimeoutException {
        try (Connection connection = proxy.node().connect()) {
            proxy.hold();
            CompletableFuture<Void> insert = run(connection, "INSERT INTO t VALUES (1)");
            assertThatThrownBy(() -> insert.get(SHORT.toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            assertThat(rows()).isZero();
            proxy.release();
            insert.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(rows()).isEqualTo(1);
        }
    }

    @Test
    void a_held_request_has_not_reached_the_server_and_a_cut_loses_it() throws SQLException {
        try (Connection connection = proxy.node().connect()) {
            Hold commit = proxy.holdWhen(message -> message.contains("COMMIT PREPARED"));
            execute(connection, "BEGIN; INSERT INTO t VALUES (1); PREPARE TRANSACTION 'one'");
            CompletableFuture<Void> outcome = run(connection, "COMMIT PREPARED 'one'");
            commit.await(LIMIT);
            assertThat(commit.isHeld()).isTrue();
            assertThat(direct.queryText("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"))
                    .isEqualTo("one");
            proxy.cut();
            assertThat(failure(outcome).getSQLState()).startsWith("08");
            assertThat(direct.queryText("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"))
                    .isEqualTo("one");
        }
    }

    @Test
    void a_held_request_goes_on_after_release_and_other_connections_are_not_held()
            throws SQLException, InterruptedException, ExecutionException, TimeoutException {
        try (Connection connection = proxy.node().connect();
                Connection other = proxy.node().connect()) {
            Hold insert = proxy.holdWhen(message -> message.type() == 'P' && message.contains("VALUES (1)"));
            CompletableFuture<Void> outcome = run(connection, "INSERT INTO t VALUES (1)");
            insert.await(LIMIT);
            execute(other, "INSERT INTO t VALUES (2)");
            assertThat(rows()).isEqualTo(1);
            insert.release();
            outcome.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(rows()).isEqualTo(2);
        }
    }

    @Test
    void a_held_reply_means_that_the_server_has_done_it_and_the_client_does_not_know() throws SQLException {
        try (Connection connection = proxy.node().connect()) {
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO t VALUES (1)");
            Hold reply = proxy.holdReplyWhen(message -> message.type() == 'C' && message.contains("COMMIT"));
            CompletableFuture<Void> outcome = CompletableFuture.runAsync(() -> {
                try {
                    connection.commit();
                } catch (SQLException e) {
                    throw new CompletionException(e);
                }
            });
            reply.await(LIMIT);
            assertThat(rows()).isEqualTo(1);
            proxy.reset();
            assertThat(failure(outcome).getSQLState()).startsWith("08");
        }
    }

    @Test
    void awaiting_a_message_that_never_comes_fails_at_the_limit() {
        Hold hold = proxy.holdWhen(message -> message.contains("never"));
        assertThatThrownBy(() -> hold.await(Duration.ofMillis(20))).isInstanceOf(TestkitException.class);
    }

    @Test
    void cut_ends_with_a_closed_stream_and_reset_with_a_tcp_reset() throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), proxy.node().port())) {
            proxy.awaitConnections(1, LIMIT);
            proxy.cut();
            assertThat(read(socket)).isEqualTo(-1);
        }
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), proxy.node().port())) {
            proxy.awaitConnections(1, LIMIT);
            proxy.reset();
            assertThatThrownBy(() -> read(socket))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void the_server_rolls_back_when_the_proxy_cuts() throws SQLException {
        try (Connection connection = proxy.node().connect()) {
            connection.setAutoCommit(false);
            execute(connection, "LOCK TABLE t");
            proxy.reset();
            // Waits for the lock, which the server gives up when it sees the reset.
            direct.execute("BEGIN; SET LOCAL lock_timeout = '20s'; LOCK TABLE t; COMMIT");
            assertThatThrownBy(() -> execute(connection, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void refused_connections_fail_at_once_until_they_are_accepted_again() throws SQLException {
        try (Connection open = proxy.node().connect()) {
            proxy.refuse();
            assertThatThrownBy(() -> proxy.node().connect())
                    .isInstanceOfSatisfying(
                            PSQLException.class,
                            e -> assertThat(e.getSQLState()).isEqualTo("08001"));
            execute(open, "SELECT 1");
            proxy.accept();
            proxy.node().connect().close();
        }
    }

    @Test
    void a_query_can_be_cancelled_through_the_proxy() throws SQLException {
        try (Connection connection = proxy.node().connect();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        }
    }

    private long rows() throws SQLException {
        return Long.parseLong(Objects.requireNonNull(direct.queryText("SELECT count(*) FROM t")));
    }

    private static int read(Socket socket) throws IOException {
        socket.setSoTimeout((int) LIMIT.toMillis());
        InputStream in = socket.getInputStream();
        return in.read();
    }

    private static SQLException failure(CompletableFuture<Void> outcome) {
        try {
            outcome.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return (SQLException) Objects.requireNonNull(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no outcome", e);
        }
        throw new AssertionError("it succeeded");
    }

    private static CompletableFuture<Void> run(Connection connection, String sql) {
        return CompletableFuture.runAsync(() -> {
            try {
                execute(connection, sql);
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
