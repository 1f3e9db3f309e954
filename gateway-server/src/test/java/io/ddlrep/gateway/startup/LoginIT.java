package io.ddlrep.gateway.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.gateway.Frontend;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients log in at the gateway by SCRAM, and the gateway logs in on the origin as them, without their password. */
class LoginIT {
    private static ScramOrigin origin;
    private static GatewayServer gateway;

    @BeforeAll
    static void create() throws SQLException {
        origin = ScramOrigin.create();
        origin.execute(
                "CREATE ROLE bob LOGIN PASSWORD 'bob' VALID UNTIL '2020-01-01'",
                "CREATE ROLE carol NOLOGIN PASSWORD 'carol'",
                "CREATE ROLE dave LOGIN",
                "SET password_encryption = 'md5'; CREATE ROLE erin LOGIN PASSWORD 'erin'");
        gateway = GatewayServer.start(
                GatewayConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        origin.address(),
                        new ClientAuth.Scram(origin.verifiers())),
                Optional.empty());
    }

    @AfterAll
    static void close() {
        gateway.close();
        origin.close();
    }

    private static Connection connect(String database, String user, String password) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + gateway.address().getPort() + "/" + database, user, password);
    }

    @Test
    void the_session_is_the_users_own() throws SQLException {
        try (Connection connection = connect(origin.database(), "alice", "wonder land");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT session_user, pg_backend_pid()")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("alice");
        }
    }

    @Test
    void a_changed_password_is_good_at_once() throws SQLException {
        origin.execute("CREATE ROLE frank LOGIN PASSWORD 'one'");
        connect(origin.database(), "frank", "one").close();
        origin.execute("ALTER ROLE frank PASSWORD 'two'");
        connect(origin.database(), "frank", "two").close();
        assertThatThrownBy(() -> connect(origin.database(), "frank", "one")).isInstanceOf(SQLException.class);
    }

    @Test
    void whoever_may_not_log_in_hears_the_same() {
        for (List<String> who : List.of(
                List.of("alice", "wrong"),
                List.of("nobody", "x"),
                List.of("bob", "bob"),
                List.of("carol", "carol"),
                List.of("dave", ""),
                List.of("dave", "x"),
                List.of("erin", "erin"),
                List.of("alice\" OR true --", "x"))) {
            // Also where the database is not there: before the login nobody learns that.
            for (String database : List.of(origin.database(), "nowhere")) {
                assertThatThrownBy(
                                () -> connect(database, who.get(0), who.get(1).isEmpty() ? " " : who.get(1)))
                        .as("%s on %s", who, database)
                        .isInstanceOfSatisfying(SQLException.class, e -> {
                            assertThat(e.getSQLState()).isEqualTo("28P01");
                            assertThat(e.getMessage())
                                    .contains("password authentication failed for user \"" + who.get(0) + "\"");
                        });
            }
        }
    }

    @Test
    void what_the_origin_says_of_a_login_reaches_the_client() {
        assertThatThrownBy(() -> connect("nowhere", "alice", "wonder land"))
                .isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getSQLState()).isEqualTo("3D000");
                    assertThat(e.getMessage()).contains("database \"nowhere\" does not exist");
                });
    }

    @Test
    void messages_that_belong_to_no_login_end_it() throws IOException {
        for (byte[] message : List.of(
                Frontend.message('Q', "SELECT 1\0"),
                Frontend.message('p', "SCRAM-SHA-256"),
                Frontend.message('p', "SCRAM-SHA-256\0\0\0\0\u007fn,,n=,r=x"),
                Frontend.message('p', "SCRAM-SHA-256-PLUS\0\0\0\0\tn,,n=,r=x"),
                Frontend.message('p', "SCRAM-SHA-256\0\0\0\0\nn,a=b,n=,r=x"),
                Frontend.message('p', "x".repeat(2000)),
                ByteBuffer.allocate(5).put((byte) 'p').putInt(Integer.MAX_VALUE).array(),
                ByteBuffer.allocate(5).put((byte) 'p').putInt(3).array())) {
            try (Socket socket = new Socket(
                            InetAddress.getLoopbackAddress(), gateway.address().getPort());
                    DataInputStream in = new DataInputStream(socket.getInputStream())) {
                socket.setSoTimeout(30_000);
                socket.getOutputStream().write(Frontend.startup("user", "alice", "database", origin.database()));
                assertThat(in.readByte()).isEqualTo((byte) 'R');
                in.skipNBytes(in.readInt() - 4L);
                socket.getOutputStream().write(message);
                byte[] answer = in.readAllBytes();
                assertThat(answer.length == 0 || answer[0] == 'E')
                        .as("an error, or nothing")
                        .isTrue();
            }
        }
        // Others are not disturbed.
        assertThat(gateway.address().getPort()).isPositive();
    }
}
