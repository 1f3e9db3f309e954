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
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ddlrep gateway} as a user starts it, on three nodes. */
class GatewayCommandIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Pattern LISTENS = Pattern.compile("listens on ([0-9.]+):([0-9]+)");

    private static PgGroup group;

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

    @Test
    void clients_change_every_node_and_rows_follow_until_it_is_stopped()
            throws SQLException, InterruptedException, ExecutionException, TimeoutException {
        StringWriter err = new StringWriter();
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        Thread running = new Thread(() -> ended.complete(Main.run(
                new PrintWriter(new StringWriter(), true),
                new PrintWriter(err, true),
                gateway("--listen", "localhost:0", "--auth", "trust").toArray(String[]::new))));
        running.start();
        await("it listens")
                .atMost(SOON)
                .until(() -> LISTENS.matcher(err.toString()).find());
        Matcher listens = LISTENS.matcher(err.toString());
        assertThat(listens.find()).isTrue();
        assertThat(err.toString()).contains("asks NOBODY for a password");
        PgNode through = group.node(1).at(listens.group(1), Integer.parseInt(listens.group(2)));
        through.execute("CREATE TABLE item (id int PRIMARY KEY)", "INSERT INTO item VALUES (1), (2)");
        for (int replica = 2; replica <= 3; replica++) {
            PgNode node = group.node(replica);
            await("rows reach " + node.name())
                    .atMost(SOON)
                    .until(() -> "2".equals(node.queryText("SELECT count(*) FROM item")));
        }
        running.interrupt();
        assertThat(ended.get(SOON.toSeconds(), TimeUnit.SECONDS)).isNotNull();
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
