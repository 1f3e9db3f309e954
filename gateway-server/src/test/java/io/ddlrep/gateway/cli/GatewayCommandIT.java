package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ddlrep gateway} as a user starts it, on three nodes. */
class GatewayCommandIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Pattern LISTENS = Pattern.compile("listens on ([0-9.]+):([0-9]+)");

    private static PgGroup group;

    @TempDir
    private Path directory;

    @BeforeAll
    static void create() {
        group = PgGroup.create("gwcli", 3);
        Said init = run(
                "init",
                "--origin",
                "n1=" + group.node(1).conninfo(),
                "--replica",
                "n2=" + group.node(2).conninfo(),
                "--replica",
                "n3=" + group.node(3).conninfo());
        assertThat(init.code()).as(init.err()).isZero();
    }

    @AfterAll
    static void drop() {
        group.close();
    }

    /** What a command said, and its exit code. */
    private record Said(int code, String err) {}

    private static Said run(String... arguments) {
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(new StringWriter(), true), new PrintWriter(err, true), arguments);
        return new Said(code, err.toString());
    }

    private static List<String> gateway(String... more) {
        List<String> all =
                new ArrayList<>(List.of("gateway", "--origin", group.node(1).conninfo()));
        all.addAll(List.of(more));
        return all;
    }

    /** A gateway that runs until it is closed. */
    private record Running(Thread thread, CompletableFuture<Integer> ended, StringWriter err, PgNode through)
            implements AutoCloseable {
        static Running start(String... more) {
            StringWriter err = new StringWriter();
            CompletableFuture<Integer> ended = new CompletableFuture<>();
            Thread thread = new Thread(() -> ended.complete(Main.run(
                    new PrintWriter(new StringWriter(), true),
                    new PrintWriter(err, true),
                    gateway(more).toArray(String[]::new))));
            thread.start();
            await("it listens")
                    .atMost(SOON)
                    .until(() -> LISTENS.matcher(err.toString()).find());
            Matcher listens = LISTENS.matcher(err.toString());
            assertThat(listens.find()).isTrue();
            return new Running(
                    thread, ended, err, group.node(1).at(listens.group(1), Integer.parseInt(listens.group(2))));
        }

        String url() {
            return "jdbc:postgresql://" + through.host() + ":" + through.port() + "/ddlrep";
        }

        @Override
        public void close() {
            thread.interrupt();
            assertThat(ended).succeedsWithin(SOON);
        }
    }

    @Test
    void a_file_is_read_anew() throws IOException, SQLException {
        Path file = directory.resolve("gateway.yaml");
        String superuser = group.node(1).superuser();
        String common = "listen: localhost:0\nauth: trust\nadmin_users: [" + superuser + "]\nreplicate: off\n";
        Files.writeString(file, common + "http: localhost:0\n");
        try (Running gateway = Running.start("--config", file.toString());
                Connection admin = DriverManager.getConnection(gateway.url(), superuser, "")) {
            assertThat(gateway.err().toString()).contains("/metrics");
            assertThatThrownBy(() -> DriverManager.getConnection(gateway.url(), "somebody", ""))
                    .hasMessageContaining("permission denied");
            Files.writeString(file, common + "http: localhost:0\nstats_users:\n  - somebody\n");
            admin.createStatement().execute("RELOAD");
            DriverManager.getConnection(gateway.url(), "somebody", "").close();
            Files.writeString(file, common + "http: localhost:1\ndrain: 5s\n");
            assertThatThrownBy(() -> admin.createStatement().execute("RELOAD"))
                    .hasMessageContaining("need a restart of the gateway: http");
            Files.writeString(file, common + "drian: 5s\n");
            assertThatThrownBy(() -> admin.createStatement().execute("RELOAD"))
                    .hasMessageContaining("line 5: there is no setting \"drian\"");
            // Nothing of these is in force.
            DriverManager.getConnection(gateway.url(), "somebody", "").close();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lsten: a:1 | line 1: there is no setting \"lsten\"",
                "drain: soon | line 1: drain is a time such as 30s or 500ms, not soon",
                "auth: md5 | line 1: auth is one of cert, scram, trust, not md5",
                "replicate: perhaps | line 1: replicate is on or off, not perhaps",
                "'listen: a b' | line 1: listen: an address to listen on is HOST:PORT",
                "listen: [a, b] | line 1: listen is one value, not a list",
                "just text | line 1: expected lines of the form",
                "'listen: \"x' | line 2: found unexpected end of stream",
                "tls_cert: x.pem | give --tls-cert and --tls-key, or neither",
                "tls_client_ca: x.pem | --tls-client-ca needs --tls-cert and --tls-key",
                "tls_user_map: x | --tls-user-map needs --tls-client-ca",
                "auth: cert | --auth cert needs --tls-client-ca",
                "log_format: xml | line 1: log_format is one of json, text, not xml",
                "admin_users: {a: b} | line 1: expected a single value",
            })
    void mistakes_in_a_file_are_told_with_their_line(String text, String expected) throws IOException {
        Path file = directory.resolve("mistake.yaml");
        Files.writeString(file, text + "\n");
        Said said = run("gateway", "--config", file.toString(), "--check-config");
        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(expected);
    }

    @Test
    void a_sound_file_is_said_to_be_so() throws IOException {
        Path file = directory.resolve("sound.yaml");
        Files.writeString(file, """
                # The gateway of the test.
                listen: '*:6432'
                origin: host=db1 dbname=app user=ddlrep_service
                auth: scram
                http: localhost:9432
                replicate: on
                drain: 1min
                connect_timeout: 500ms
                login_timeout: 20
                admin_users: [alice, "bob"]
                stats_users: monitoring
                """);
        Said said = run("gateway", "--config", file.toString(), "--check-config");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(run("gateway", "--config", directory.resolve("none.yaml").toString())
                        .err())
                .contains("none.yaml cannot be read");
    }

    @Test
    void clients_change_every_node_and_rows_follow_until_it_is_stopped() throws SQLException {
        Running gateway = Running.start("--listen", "localhost:0", "--auth", "trust");
        assertThat(gateway.err().toString()).contains("asks NOBODY for a password");
        PgNode through = gateway.through();
        through.execute("CREATE TABLE item (id int PRIMARY KEY)", "INSERT INTO item VALUES (1), (2)");
        for (int replica = 2; replica <= 3; replica++) {
            PgNode node = group.node(replica);
            await("rows reach " + node.name())
                    .atMost(SOON)
                    .until(() -> "2".equals(node.queryText("SELECT count(*) FROM item")));
        }
        gateway.close();
        assertThatThrownBy(through::connect).hasMessageContaining("refused");
    }

    @Test
    void a_port_that_is_taken_is_named() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            String address = "localhost:" + taken.getLocalPort();
            Said said = run(gateway("--listen", address, "--auth", "trust").toArray(String[]::new));
            assertThat(said.code()).isEqualTo(1);
            assertThat(said.err()).contains("error: cannot listen on").contains(":" + taken.getLocalPort());
        }
    }

    @Test
    void a_role_that_may_not_ask_for_verifiers_is_refused_before_the_first_login() throws SQLException {
        group.node(1).execute("SET ddlrep.replicate = off", "DROP ROLE IF EXISTS gwcli_plain");
        group.node(1).execute("SET ddlrep.replicate = off", "CREATE ROLE gwcli_plain LOGIN");
        try {
            Said said =
                    run("gateway", "--origin", group.node(1).conninfo("gwcli_plain", ""), "--listen", "localhost:0");
            assertThat(said.code()).isEqualTo(1);
            assertThat(said.err())
                    .contains("role gwcli_plain may not read verifiers (SQLSTATE 42501)")
                    .contains("HINT:  Log in as ddlrep_service");
        } finally {
            group.node(1).execute("SET ddlrep.replicate = off", "DROP ROLE gwcli_plain");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", ":1", "localhost:", "localhost:65536", "a:b:1", "[::1]", "no.such.host.invalid:1"})
    void addresses_that_are_none_are_refused(String listen) {
        Said said = run(gateway("--listen", listen, "--auth", "trust").toArray(String[]::new));
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("ddlrep: error:");
    }

    @ParameterizedTest
    @CsvSource({"*:5, 0.0.0.0, 5", "127.0.0.1:6432, 127.0.0.1, 6432", "[::1]:6432, 0:0:0:0:0:0:0:1, 6432"})
    void addresses_of_every_form(String text, String address, int port) {
        assertThat(ListenAddress.parse(text).getAddress().getHostAddress()).isIn(address, "0:0:0:0:0:0:0:0");
        assertThat(ListenAddress.parse(text).getPort()).isEqualTo(port);
    }
}
