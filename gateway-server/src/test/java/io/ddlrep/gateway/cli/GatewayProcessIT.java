package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Gateways as processes of their own: what they log, and how one takes over from another. */
class GatewayProcessIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** What every Java process ends with that SIGTERM has ended, also where it did so in order. */
    private static final int TERMINATED = 128 + 15;

    private static PgGroup group;

    @BeforeAll
    static void create() {
        group = PgGroup.create("gwproc", 2);
        GatewayProcess.init(group);
    }

    @AfterAll
    static void drop() {
        group.close();
    }

    private static void awaitRows(String table, int rows) {
        PgNode replica = group.node(2);
        await("rows of " + table + " reach the replica")
                .atMost(SOON)
                .until(() -> String.valueOf(rows).equals(replica.queryText("SELECT count(*) FROM " + table)));
    }

    @Test
    void every_line_of_the_log_is_json_and_none_has_a_secret() throws IOException, InterruptedException, SQLException {
        List<String> lines;
        try (GatewayProcess gateway = GatewayProcess.start(
                group.node(1), "--listen", "localhost:0", "--log-format", "json", "--log-connections")) {
            PgNode through = gateway.through(group.node(1));
            try (Connection connection = through.connect("who\nis\"this", "unspoken word");
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
            } catch (SQLException e) {
                assertThat(e.getSQLState()).isEqualTo("28000");
            }
            through.execute("CREATE TABLE logged (id int PRIMARY KEY)");
            assertThatThrownBy(() -> through.execute("CREATE ROLE logged PASSWORD 'unspoken word'; SELECT 1/0"))
                    .isInstanceOf(SQLException.class);
            assertThat(gateway.terminate()).isEqualTo(TERMINATED);
            lines = gateway.lines();
        }
        ObjectMapper json = new ObjectMapper();
        List<String> messages = new ArrayList<>();
        for (String line : lines) {
            JsonNode event = json.readTree(line);
            assertThat(event.fieldNames()).toIterable().contains("timestamp", "level", "loggerName");
            messages.add(event.get("formattedMessage").textValue());
        }
        assertThat(messages)
                .anyMatch(each -> each.contains("listens on"))
                .anyMatch(each -> each.matches("(?s)session [0-9]+ begins: .* as \"who\nis\"this\" on \"gwproc.*"))
                .anyMatch(each -> each.matches("session [0-9]+ has ended after [0-9]+ ms"));
        assertThat(String.join("\n", lines)).doesNotContain("unspoken");
    }

    @Test
    void gateways_share_a_port_and_take_over_from_each_other() throws IOException, InterruptedException, SQLException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String listen = "127.0.0.1:" + port;
        PgNode origin = group.node(1);
        try (GatewayProcess first = GatewayProcess.start(origin, "--listen", listen, "--reuse-port")) {
            PgNode through = first.through(origin);
            through.execute("CREATE TABLE shared (id int PRIMARY KEY)", "INSERT INTO shared VALUES (1)");
            awaitRows("shared", 1);
            try (GatewayProcess second = GatewayProcess.start(origin, "--listen", listen, "--reuse-port")) {
                // The one that takes changes to the replica is gone, without a word.
                first.kill();
                through.execute("ALTER TABLE shared ADD v text", "INSERT INTO shared VALUES (2, 'x')");
                awaitRows("shared", 2);
                try (GatewayProcess third = GatewayProcess.start(origin, "--listen", listen, "--reuse-port")) {
                    assertThat(second.terminate()).isEqualTo(TERMINATED);
                    through.execute("ALTER TABLE shared DROP v", "INSERT INTO shared VALUES (3)");
                    awaitRows("shared", 3);
                    assertThat(third.terminate()).isEqualTo(TERMINATED);
                }
            }
        }
        assertThatThrownBy(() -> origin.at("127.0.0.1", port).connect()).hasMessageContaining("refused");
    }

    @Test
    void a_port_is_not_shared_unless_both_say_so() throws IOException {
        PgNode origin = group.node(1);
        try (GatewayProcess first = GatewayProcess.start(origin, "--listen", "127.0.0.1:0")) {
            assertThatThrownBy(
                            () -> GatewayProcess.start(origin, "--listen", "127.0.0.1:" + first.port(), "--reuse-port"))
                    .hasMessageContaining("cannot listen on");
        }
    }
}
