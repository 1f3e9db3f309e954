package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.gateway.startup.Pki;
import io.ddlrep.gateway.startup.Tls;
import io.ddlrep.gateway.startup.UserMap;
import io.ddlrep.gateway.wire.NodeTls;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServerOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nobody has a password: clients are known to the gateway by their certificates, and the gateway to the nodes by its own, with
 * which it may be alice and the roles of ddlrep, and nobody else.
 */
class ClientCertificateIT {
    @TempDir
    private static Path directory;

    private static Pki pki;
    private static GatewayGroup group;

    @BeforeAll
    static void start() throws Exception {
        pki = Pki.create(directory, "authority");
        Pki.Issued server = pki.issue("node", "localhost", "127.0.0.1");
        Pki.Issued gateway = pki.issue("gateway", "localhost", "127.0.0.1");
        Tls.Clients clients = new Tls.Clients(
                pki.authorities(),
                UserMap.read(pki.write("users", "\"Alice's laptop\" alice\n/^(bob)@ \\1\n/^(reader) \\1\n")));
        group = new GatewayGroup(
                PgGroup.dedicated(3, servers(server)),
                new GatewayGroup.Setup(
                        Optional.empty(),
                        Map.of(),
                        Map.of(
                                "sslmode", "verify-full",
                                "sslrootcert", pki.authorities().toString(),
                                "sslcert", gateway.certificate().toString(),
                                "sslkey", gateway.key().toString(),
                                "pemKeyAlgorithm", "EC"),
                        new GatewayConfig.Encryption(
                                Optional.of(Tls.of(gateway.certificate(), gateway.key(), Optional.of(clients))),
                                NodeTls.of(
                                        NodeTls.Mode.VERIFY_FULL,
                                        Optional.of(pki.authorities()),
                                        Optional.of(new NodeTls.Identity(
                                                gateway.certificate(), gateway.key(), Optional.empty())))),
                        verifiers -> new ClientAuth.Certificate()));
        for (int node = 1; node <= 3; node++) {
            group.node(node)
                    .execute(
                            "SET ddlrep.replicate = off",
                            "CREATE ROLE alice LOGIN",
                            "CREATE ROLE bob LOGIN",
                            "CREATE ROLE reader LOGIN",
                            "GRANT CREATE ON SCHEMA public TO alice");
        }
    }

    private static PgServerOptions servers(Pki.Issued server) throws Exception {
        Path access = pki.write(
                "pg_hba.conf", "host all postgres 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 cert map=gateway\n");
        Path idents = pki.write(
                "pg_ident.conf",
                "gateway gateway alice\ngateway gateway ddlrep_service\ngateway gateway ddlrep_apply\n");
        return PgServerOptions.of(PgBinaries.defaultMajor())
                .withSetting("ssl", "on")
                .withSetting("ssl_cert_file", server.certificate().toString())
                .withSetting("ssl_key_file", server.key().toString())
                .withSetting("ssl_ca_file", pki.authorities().toString())
                .withSetting("hba_file", access.toString())
                .withSetting("ident_file", idents.toString());
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static Connection connect(String user, Optional<Pki.Issued> shown) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("pemKeyAlgorithm", "EC");
        properties.setProperty("sslmode", "verify-full");
        properties.setProperty("sslrootcert", pki.authorities().toString());
        shown.ifPresent(each -> {
            properties.setProperty("sslcert", each.certificate().toString());
            properties.setProperty("sslkey", each.key().toString());
        });
        return DriverManager.getConnection(group.through().jdbcUrl(), properties);
    }

    @Test
    void ddl_of_a_client_is_its_own_on_every_node() throws Exception {
        try (Connection connection = connect("alice", Optional.of(pki.issue("Alice's laptop")));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE hers (id int PRIMARY KEY)");
        }
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryText("SELECT tableowner FROM pg_tables WHERE tablename = 'hers'"))
                    .isEqualTo("alice");
        }
        group.assertEqualNodes();
    }

    private static void assertRefused(String user, Optional<Pki.Issued> shown, String sqlState, String why) {
        assertThatThrownBy(() -> connect(user, shown)).isInstanceOfSatisfying(SQLException.class, e -> {
            assertThat(e.getSQLState()).isEqualTo(sqlState);
            assertThat(e.getMessage()).contains(why);
        });
    }

    @Test
    void whoever_may_not_log_in_is_told_as_the_server_tells_it() throws Exception {
        assertRefused("alice", Optional.empty(), "28000", "connection requires a valid client certificate");
        assertRefused(
                "alice",
                Optional.of(pki.issue("alice")),
                "28000",
                "certificate authentication failed for user \"alice\"");
        assertRefused(
                "postgres",
                Optional.of(pki.issue("bob@home")),
                "28000",
                "certificate authentication failed for user \"postgres\"");
        // The gateway lets bob in, but on the nodes it may not be bob.
        assertRefused(
                "bob",
                Optional.of(pki.issue("bob@work")),
                "28000",
                "certificate authentication failed for user \"bob\"");
    }

    @Test
    void a_certificate_of_a_stranger_ends_the_handshake() throws Exception {
        // Called as the authority, so that the client takes it for one that is asked for.
        Pki stranger = Pki.create(directory.resolve("elsewhere"), "authority");
        assertThatThrownBy(() -> connect("alice", Optional.of(stranger.issue("Alice's laptop"))))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
    }

    @Test
    void the_gateways_own_database_asks_for_the_certificate_too() throws Exception {
        String url = "jdbc:postgresql://" + group.through().host() + ":"
                + group.through().port() + "/ddlrep";
        assertThatThrownBy(() -> DriverManager.getConnection(url, "reader", ""))
                .hasMessageContaining("connection requires a valid client certificate");
        Pki.Issued shown = pki.issue("reader");
        Properties properties = new Properties();
        properties.setProperty("user", "reader");
        properties.setProperty("pemKeyAlgorithm", "EC");
        properties.setProperty("sslmode", "require");
        properties.setProperty("sslcert", shown.certificate().toString());
        properties.setProperty("sslkey", shown.key().toString());
        try (Connection connection = DriverManager.getConnection(url, properties);
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("SHOW VERSION")).isTrue();
        }
    }
}
