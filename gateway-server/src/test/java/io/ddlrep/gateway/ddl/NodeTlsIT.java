package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.gateway.startup.Pki;
import io.ddlrep.gateway.wire.NodeTls;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServerOptions;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** Nodes that take nobody without encryption: every connection of the gateway to them is encrypted, and verified. */
class NodeTlsIT {
    @TempDir
    private static Path directory;

    private static Pki pki;
    private static Pki stranger;
    private static GatewayGroup group;

    @BeforeAll
    static void start() throws Exception {
        pki = Pki.create(directory, "authority");
        stranger = Pki.create(directory, "stranger");
        Pki.Issued server = pki.issue("node", "localhost", "127.0.0.1");
        group = new GatewayGroup(
                PgGroup.dedicated(
                        3,
                        PgServerOptions.of(PgBinaries.defaultMajor())
                                .withAuthentication(PgServerOptions.Authentication.SCRAM)
                                .withSetting("listen_addresses", "127.0.0.1,127.0.0.2")
                                .withSetting("ssl", "on")
                                .withSetting(
                                        "ssl_cert_file", server.certificate().toString())
                                .withSetting("ssl_key_file", server.key().toString())
                                .withSetting(
                                        "hba_file",
                                        pki.write("pg_hba.conf", "hostssl all all all scram-sha-256\n")
                                                .toString())),
                new GatewayGroup.Setup(
                        Optional.of("a service's"),
                        Map.of(),
                        Map.of(
                                "sslmode",
                                "verify-full",
                                "sslrootcert",
                                pki.authorities().toString()),
                        encryption(NodeTls.Mode.VERIFY_FULL, pki),
                        ClientAuth.Scram::new));
        group.node(1).execute("SET ddlrep.replicate = off", "CREATE ROLE alice LOGIN PASSWORD 'wonder land'");
        String verifier = group.node(1).queryText("SELECT rolpassword FROM pg_authid WHERE rolname = 'alice'");
        for (int node = 1; node <= 3; node++) {
            if (node > 1) {
                group.node(node)
                        .execute("SET ddlrep.replicate = off", "CREATE ROLE alice LOGIN PASSWORD '" + verifier + "'");
            }
            group.node(node).execute("SET ddlrep.replicate = off", "GRANT CREATE ON SCHEMA public TO alice");
        }
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static GatewayConfig.Encryption encryption(NodeTls.Mode mode, Pki authorities) throws IOException {
        return new GatewayConfig.Encryption(
                Optional.empty(), NodeTls.of(mode, Optional.of(authorities.authorities()), Optional.empty()));
    }

    private static Connection connect() throws SQLException {
        return group.through().connect("alice", "wonder land");
    }

    @Test
    void a_session_and_its_companions_are_encrypted() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE TABLE hers (id int PRIMARY KEY, v text)");
            for (int node = 1; node <= 3; node++) {
                assertThat(group.node(node)
                                .queryRows(
                                        "SELECT DISTINCT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)"
                                                + " WHERE a.usename = 'alice'"))
                        .as("whether alice's sessions on n%s are encrypted", node)
                        .containsExactly("t");
            }
            connection.commit();
            assertThat(group.gateway().sessions().views()).allMatch(view -> view.originTls() && !view.tls());
        }
        group.assertEqualNodes();
    }

    @Test
    void rows_pass_in_both_directions() throws SQLException, IOException {
        String rows = "7\tx\n".repeat(300_000);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMP TABLE copied (id int, v text)");
            PGConnection copying = connection.unwrap(PGConnection.class);
            assertThat(copying.getCopyAPI().copyIn("COPY copied FROM STDIN", new StringReader(rows)))
                    .isEqualTo(300_000);
            StringWriter back = new StringWriter();
            copying.getCopyAPI().copyOut("COPY copied TO STDOUT", back);
            assertThat(back.toString()).isEqualTo(rows);
        }
    }

    @Test
    void a_statement_is_cancelled() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
                try {
                    statement.execute("SELECT pg_sleep(60)");
                    return new AssertionError("not cancelled");
                } catch (SQLException e) {
                    return e;
                }
            });
            await("the session sleeps")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> "1"
                            .equals(group.node(1)
                                    .queryText("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")));
            statement.cancel();
            assertThat(failure.join())
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        }
    }

    /** A gateway that asks nobody, in front of a node: what its clients hear. */
    private static void through(PgNode node, GatewayConfig.Encryption encryption, Check check) throws Exception {
        GatewayConfig config = GatewayConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new NodeAddress("n1", node.host(), node.port(), node.database()),
                        new ClientAuth.Trust())
                .with(encryption);
        try (GatewayServer gateway = GatewayServer.start(config, Optional.empty())) {
            check.accept(node.at("127.0.0.1", gateway.address().getPort()));
        }
    }

    private interface Check {
        void accept(PgNode through) throws Exception;
    }

    private static void assertRefused(PgNode through, String why) {
        assertThatThrownBy(() -> through.queryText("SELECT 1")).isInstanceOfSatisfying(SQLException.class, e -> {
            assertThat(e.getSQLState()).isEqualTo("08006");
            assertThat(e.getMessage())
                    .contains("the origin, n1, cannot be reached")
                    .contains(why);
        });
    }

    private static void assertEncrypted(PgNode through) throws SQLException {
        assertThat(through.queryText("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
                .isEqualTo("t");
    }

    @Test
    void a_certificate_of_a_stranger_is_not_believed_where_it_is_verified() throws Exception {
        PgNode node = group.node(1);
        through(node, encryption(NodeTls.Mode.VERIFY_FULL, stranger), it -> assertRefused(it, "PKIX path"));
        through(node, encryption(NodeTls.Mode.VERIFY_CA, stranger), it -> assertRefused(it, "PKIX path"));
        through(node, encryption(NodeTls.Mode.REQUIRE, stranger), NodeTlsIT::assertEncrypted);
        through(node, encryption(NodeTls.Mode.PREFER, stranger), NodeTlsIT::assertEncrypted);
    }

    @Test
    void another_name_is_not_believed_where_names_are_verified() throws Exception {
        // Every address of 127/8 is this host, but the certificate is for one of them.
        PgNode node = group.node(1).at("127.0.0.2", group.node(1).port());
        through(node, encryption(NodeTls.Mode.VERIFY_FULL, pki), it -> assertRefused(it, "127.0.0.2"));
        through(node, encryption(NodeTls.Mode.VERIFY_CA, pki), NodeTlsIT::assertEncrypted);
    }

    @Test
    void without_encryption_the_node_itself_refuses() throws Exception {
        through(
                group.node(1),
                GatewayConfig.Encryption.NONE,
                it -> assertThatThrownBy(() -> it.queryText("SELECT 1")).hasMessageContaining("no encryption"));
    }

    @Test
    void a_node_without_encryption_is_refused_where_it_is_required() throws Exception {
        try (PgGroup plain = PgGroup.create("plain_node", 1)) {
            PgNode node = plain.node(1);
            through(
                    node,
                    encryption(NodeTls.Mode.REQUIRE, pki),
                    it -> assertRefused(it, "the server does not support SSL, but SSL was required"));
            through(
                    node,
                    encryption(NodeTls.Mode.PREFER, pki),
                    it -> assertThat(it.queryText("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
                            .isEqualTo("f"));
        }
    }
}
