package io.ddlrep.gateway.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.gateway.Frontend;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.wire.NodeTls;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients' connections are encrypted by the gateway's own certificate, to which their logins are bound. */
class TlsIT {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private static Path directory;

    private static ScramOrigin origin;
    private static GatewayServer gateway;

    @BeforeAll
    static void create() throws SQLException, IOException, InterruptedException, GeneralSecurityException {
        origin = ScramOrigin.create();
        gateway = GatewayServer.start(
                GatewayConfig.of(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                origin.address(),
                                new ClientAuth.Scram(origin.verifiers()))
                        .with(new GatewayConfig.Encryption(Optional.of(certificate("SHA384withECDSA")), NodeTls.NONE)),
                Optional.empty());
    }

    @AfterAll
    static void close() {
        gateway.close();
        origin.close();
    }

    /** A certificate of its own authority, made by the JDK's keytool. */
    private static Tls certificate(String signature)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve(signature + ".p12");
        Process keytool = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/keytool",
                        "-genkeypair",
                        "-alias",
                        "gateway",
                        "-keyalg",
                        "EC",
                        "-sigalg",
                        signature,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Path certificate =
                pem("certificate", "CERTIFICATE", keys.getCertificate("gateway").getEncoded());
        Path key = pem("key", "PRIVATE KEY", keys.getKey("gateway", PASSWORD).getEncoded());
        return Tls.of(certificate, key, Optional.empty());
    }

    private static Path pem(String name, String what, byte[] bytes) throws IOException {
        return Files.writeString(
                directory.resolve(name + ".pem"),
                "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                        + "-----\n");
    }

    private static Connection connect(String... properties) throws SQLException {
        Properties all = new Properties();
        all.setProperty("user", "alice");
        all.setProperty("password", "wonder land");
        all.setProperty("sslrootcert", directory.resolve("certificate.pem").toString());
        for (int i = 0; i < properties.length; i += 2) {
            all.setProperty(properties[i], properties[i + 1]);
        }
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + gateway.address().getPort() + "/" + origin.database(), all);
    }

    private static void assertWorks(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT session_user, repeat('x', 3000000)")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("alice");
            assertThat(row.getString(2)).hasSize(3_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"disable", "allow", "prefer", "require", "verify-ca", "verify-full"})
    void every_mode_of_a_client_works(String mode) throws SQLException {
        try (Connection connection = connect("sslmode", mode)) {
            assertWorks(connection);
        }
    }

    @Test
    void logins_are_bound_to_the_certificate() throws SQLException {
        try (Connection connection = connect("sslmode", "verify-full", "channelBinding", "require")) {
            assertWorks(connection);
        }
    }

    @Test
    void tls_may_begin_at_once() throws SQLException {
        try (Connection connection = connect("sslmode", "require", "sslNegotiation", "direct")) {
            assertWorks(connection);
        }
    }

    @Test
    void a_statement_is_cancelled_through_tls() throws SQLException {
        try (Connection connection = connect("sslmode", "require");
                Statement statement = connection.createStatement()) {
            CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
                try {
                    statement.execute("SELECT pg_sleep(60)");
                    return new AssertionError("not cancelled");
                } catch (SQLException e) {
                    return e;
                }
            });
            origin.awaitSleeping();
            statement.cancel();
            assertThat(failure.join())
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        }
    }

    private static byte[] request(int code) {
        return ByteBuffer.allocate(8).putInt(8).putInt(code).array();
    }

    @Test
    void what_is_slipped_in_before_the_handshake_ends_the_connection() throws IOException {
        try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.address().getPort());
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            socket.setSoTimeout(30_000);
            byte[] both = new byte[16];
            System.arraycopy(request(80877103), 0, both, 0, 8);
            System.arraycopy(request(80877104), 0, both, 8, 8);
            socket.getOutputStream().write(both);
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("E")
                    .contains("08P01")
                    .contains("received unencrypted data after SSL request");
        }
    }

    @Test
    void a_direct_handshake_for_another_protocol_is_refused() throws IOException, GeneralSecurityException {
        SSLContext trusting = SSLContext.getInstance("TLS");
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(directory.resolve("certificate.pem"))) {
            trusted.setCertificateEntry(
                    "gateway", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(trusted);
        trusting.init(null, managers.getTrustManagers(), null);
        for (List<String> protocols : List.of(List.<String>of(), List.of("http/1.1"))) {
            try (SSLSocket socket = (SSLSocket) trusting.getSocketFactory()
                    .createSocket(
                            InetAddress.getLoopbackAddress(), gateway.address().getPort())) {
                socket.setSoTimeout(30_000);
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(protocols.toArray(String[]::new));
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                int read;
                try {
                    socket.getOutputStream().write(Frontend.startup("user", "alice"));
                    read = socket.getInputStream().read();
                } catch (IOException reset) {
                    read = -1;
                }
                assertThat(read).as("ALPN %s", protocols).isEqualTo(-1);
            }
        }
    }

    @Test
    void a_certificate_that_is_none_is_named() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.pem"), "nothing");
        assertThatThrownBy(() -> Tls.of(broken, broken, Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("broken.pem");
    }
}
