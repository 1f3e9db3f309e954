package io.ddlrep.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ddlrep.gateway.Frontend;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.testkit.PgNode;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A session through the gateway is one of the server's own: what either side sends arrives as it was sent. */
class RelayIT {
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final Duration SOON = Duration.ofSeconds(30);

    private static GatewayFixture fixture;

    @BeforeAll
    static void create() {
        fixture = GatewayFixture.create("relay");
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static Socket socket() throws IOException {
        Socket socket = new Socket(fixture.through().host(), fixture.through().port());
        socket.setSoTimeout((int) SOON.toMillis());
        return socket;
    }

    private static byte[] request(int code) {
        return ByteBuffer.allocate(8).putInt(8).putInt(code).array();
    }

    @Test
    void the_session_is_the_servers_own_with_all_that_was_asked_for_at_its_start() throws SQLException {
        PgNode node = fixture.through();
        Properties wishes = new Properties();
        wishes.setProperty("user", node.superuser());
        wishes.setProperty("password", node.password());
        wishes.setProperty("options", "-c search_path=elsewhere -c work_mem=7MB");
        wishes.setProperty("ApplicationName", "through the gateway");
        try (Connection connection = DriverManager.getConnection(node.jdbcUrl(), wishes);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid(), current_setting('search_path'),"
                        + " current_setting('work_mem'), current_setting('application_name')")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(1))
                    .isEqualTo(connection.unwrap(PGConnection.class).getBackendPID());
            assertThat(row.getString(2)).isEqualTo("elsewhere");
            assertThat(row.getString(3)).isEqualTo("7MB");
            assertThat(row.getString(4)).isEqualTo("through the gateway");
        }
    }

    @Test
    void first_packets_come_in_any_order_and_cut_anywhere() throws IOException {
        try (Socket socket = socket();
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            OutputStream out = socket.getOutputStream();
            socket.setTcpNoDelay(true);
            for (int code : new int[] {GSS_REQUEST, SSL_REQUEST}) {
                for (byte one : request(code)) {
                    out.write(one);
                    out.flush();
                }
                assertThat(in.readByte()).isEqualTo((byte) 'N');
            }
            for (byte one : Frontend.startup(
                    "user",
                    fixture.direct().superuser(),
                    "database",
                    fixture.direct().database())) {
                out.write(one);
                out.flush();
            }
            assertThat(in.readByte()).as("an authentication request").isEqualTo((byte) 'R');
        }
    }

    @Test
    void a_startup_packet_as_long_as_the_server_takes_it_arrives() throws IOException {
        String pad = "x".repeat(9_000);
        try (Socket socket = socket();
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            socket.getOutputStream().write(Frontend.startup("user", "nobody", "application_name", pad));
            assertThat(in.readByte()).isIn((byte) 'R', (byte) 'E');
        }
    }

    @Test
    void lengths_that_make_no_sense_end_the_connection() throws IOException {
        for (int length : new int[] {0, 7, -1, 10_001, Integer.MAX_VALUE}) {
            try (Socket socket = socket()) {
                socket.getOutputStream()
                        .write(ByteBuffer.allocate(8)
                                .putInt(length)
                                .putInt(3 << 16)
                                .array());
                assertThat(socket.getInputStream().read())
                        .as("length %s", length)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void versions_that_nobody_speaks_are_the_servers_to_refuse() throws IOException {
        try (Socket socket = socket();
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(9)
                            .putInt(9)
                            .putInt(2 << 16)
                            .put((byte) 0)
                            .array());
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("E")
                    .contains("unsupported frontend protocol 2.0");
        }
    }

    @Test
    void an_origin_that_is_down_is_named() throws IOException {
        int closed;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = free.getLocalPort();
        }
        try (GatewayServer gateway = GatewayFixture.gateway("127.0.0.1", closed, "x")) {
            assertThatThrownBy(() -> DriverManager.getConnection(
                            "jdbc:postgresql://127.0.0.1:" + gateway.address().getPort() + "/x", "u", "p"))
                    .isInstanceOfSatisfying(SQLException.class, e -> {
                        assertThat(e.getSQLState()).isEqualTo("08006");
                        assertThat(e.getMessage())
                                .contains("the origin, n1, cannot be reached")
                                .contains("Try again");
                    });
        }
    }

    @Test
    void a_statement_is_cancelled_and_the_next_one_is_not() throws SQLException, IOException {
        try (Connection connection = fixture.through().connect();
                Statement statement = connection.createStatement()) {
            CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
                try {
                    statement.execute("SELECT pg_sleep(60)");
                    return new AssertionError("not cancelled");
                } catch (SQLException e) {
                    return e;
                }
            });
            awaitRunning("pg_sleep(60)", 1);
            statement.cancel();
            assertThat(failure.join())
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            statement.execute("SELECT 1");
        }
    }

    private static void awaitRunning(String what, int count) {
        await(what)
                .atMost(SOON)
                .untilAsserted(() -> assertThat(fixture.direct()
                                .queryText(
                                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%"
                                                + what + "%' AND pid <> pg_backend_pid()"))
                        .isEqualTo(Integer.toString(count)));
    }

    @Test
    void what_runs_for_a_client_that_is_gone_is_cancelled() throws SQLException, IOException {
        Connection connection = fixture.through().connect();
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_sleep(61)");
            } catch (SQLException expected) {
                assertThat(expected.getSQLState()).startsWith("08");
            }
        });
        awaitRunning("pg_sleep(61)", 1);
        connection.abort(Runnable::run);
        running.join();
        awaitRunning("pg_sleep(61)", 0);
    }

    @Test
    void a_client_that_sends_no_more_still_gets_its_answer() throws SQLException, IOException {
        try (Socket socket = socket();
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(9)
                            .putInt(9)
                            .putInt(2 << 16)
                            .put((byte) 0)
                            .array());
            socket.shutdownOutput();
            assertThat(in.readByte()).isEqualTo((byte) 'E');
        }
    }

    @Test
    void copies_go_both_ways_byte_by_byte() throws SQLException, IOException {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        for (int i = 0; i < 200_000; i++) {
            rows.write((i + "\tvalue " + i + " ü€\\t\n").getBytes(StandardCharsets.UTF_8));
        }
        fixture.direct().execute("CREATE TABLE copied (id int, v text)");
        try (Connection connection = fixture.through().connect()) {
            PGConnection pg = connection.unwrap(PGConnection.class);
            pg.getCopyAPI().copyIn("COPY copied FROM STDIN", new ByteArrayInputStream(rows.toByteArray()));
            ByteArrayOutputStream back = new ByteArrayOutputStream();
            pg.getCopyAPI().copyOut("COPY copied TO STDOUT", back);
            assertThat(back.toByteArray()).isEqualTo(rows.toByteArray());
            // An error while the client still sends: the session goes on.
            assertThatThrownBy(() -> pg.getCopyAPI()
                            .copyIn(
                                    "COPY copied FROM STDIN",
                                    new ByteArrayInputStream(
                                            "x\ty\n".repeat(100_000).getBytes(StandardCharsets.UTF_8))))
                    .isInstanceOf(SQLException.class);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
            }
        }
    }

    @Test
    void notifications_reach_a_client_that_waits() throws SQLException {
        try (Connection connection = fixture.through().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN news");
            fixture.direct().execute("NOTIFY news, 'hello'");
            PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications((int) SOON.toMillis());
            assertThat(heard).hasSize(1);
            assertThat(heard[0].getParameter()).isEqualTo("hello");
        }
    }

    @Test
    void a_reader_that_stops_holds_the_server_back() throws SQLException {
        try (Connection connection = fixture.through().connect()) {
            PGConnection pg = connection.unwrap(PGConnection.class);
            var copy = pg.getCopyAPI()
                    .copyOut("COPY (SELECT repeat('x', 1000) FROM generate_series(1, 200000)) TO STDOUT");
            assertThat(copy.readFromCopy()).hasSize(1001);
            awaitWaiting();
            assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
                    .isLessThan(32L << 20);
            int rows = 1;
            while (copy.readFromCopy() != null) {
                rows++;
            }
            assertThat(rows).isEqualTo(200_000);
        }
    }

    private static void awaitWaiting() {
        await("the server waits for the client")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(fixture.direct()
                                .queryText("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientWrite'"))
                        .isEqualTo("1"));
    }
}
