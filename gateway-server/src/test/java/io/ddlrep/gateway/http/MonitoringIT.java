package io.ddlrep.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.gateway.Monitoring;
import io.ddlrep.gateway.ddl.GatewayGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a gateway tells monitoring. */
class MonitoringIT {
    private static GatewayGroup group;
    private static Monitoring monitoring;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        group = GatewayGroup.create("monitoring");
        monitoring = group.gateway().monitor(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterAll
    static void stop() {
        monitoring.close();
        group.close();
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(path, "GET");
    }

    private static HttpResponse<String> send(String path, String method) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + monitoring.address().getPort() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static double metric(String name) throws IOException, InterruptedException {
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void the_group_and_the_traffic_are_counted() throws IOException, InterruptedException, SQLException {
        double queries = metric("ddlrep_gateway_queries_total");
        double sent = metric("ddlrep_gateway_sent_bytes_total");
        double ddl = metric("ddlrep_gateway_ddl_seconds_count");
        double seconds = metric("ddlrep_gateway_ddl_seconds_sum");
        double begun = metric("ddlrep_gateway_sessions_begun_total");
        try (Connection client = group.through().connect()) {
            client.createStatement().execute("CREATE TABLE m (id int PRIMARY KEY)");
            client.createStatement().execute("SELECT repeat('x', 10000)");
            assertThat(metric("ddlrep_gateway_sessions")).isEqualTo(1);
        }
        assertThat(metric("ddlrep_gateway_queries_total")).isGreaterThanOrEqualTo(queries + 1);
        assertThat(metric("ddlrep_gateway_sent_bytes_total")).isGreaterThan(sent + 10000);
        // Counted when the client has its answer already.
        await("the DDL is counted")
                .atMost(Duration.ofSeconds(20))
                .until(() -> metric("ddlrep_gateway_ddl_seconds_count") > ddl);
        assertThat(metric("ddlrep_gateway_ddl_seconds_sum")).isGreaterThan(seconds);
        assertThat(metric("ddlrep_gateway_sessions_begun_total")).isEqualTo(begun + 1);
        for (String node : new String[] {"n1", "n2", "n3"}) {
            assertThat(metric("ddlrep_node_up{node=\"" + node + "\"}")).isEqualTo(1);
            assertThat(metric("ddlrep_node_prepared{node=\"" + node + "\"}")).isEqualTo(0);
        }
        assertThat(metric("ddlrep_replica_state{node=\"n2\",publication=\"default\",state=\"active\"}"))
                .isEqualTo(1);
        assertThat(get("/metrics").body().toLowerCase(Locale.ROOT))
                .contains("jvm_memory")
                .doesNotContain("password");
    }

    @Test
    void it_lives_and_takes_clients_until_it_drains() throws IOException, InterruptedException {
        try (GatewayGroup other = GatewayGroup.create("draining");
                Monitoring told = other.gateway().monitor(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            URI ready = URI.create("http://127.0.0.1:" + told.address().getPort() + "/readyz");
            HttpRequest request = HttpRequest.newBuilder(ready).build();
            assertThat(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo("ready\n");
            assertThat(other.gateway().drain(Duration.ZERO)).isTrue();
            HttpResponse<String> after = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(after.statusCode()).isEqualTo(503);
            assertThat(after.body()).isEqualTo("draining\n");
        }
    }

    @Test
    void what_is_not_there_is_refused() throws IOException, InterruptedException {
        assertThat(get("/healthz").body()).isEqualTo("ok\n");
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
        assertThat(send("/metrics", "POST").statusCode()).isEqualTo(405);
        assertThat(send("/readyz", "HEAD").statusCode()).isEqualTo(200);
    }
}
