package io.ddlrep.gateway.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Answers monitoring: {@code /metrics} (Prometheus), {@code /healthz} (the process lives), {@code /readyz} (clients may come). Has
 * threads of its own, so that a slow answer stops no client's session. Thread-safe.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final int THREADS = 2;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;
    private final Supplier<String> metrics;
    private final Health health;

    private HttpEndpoint(HttpServer server, ExecutorService threads, Supplier<String> metrics, Health health) {
        this.server = server;
        this.threads = threads;
        this.metrics = metrics;
        this.health = health;
    }

    /**
     * Starts it.
     *
     * @param address where it listens; port 0 takes a free one
     * @param metrics gives the metrics in Prometheus' text format; may block
     * @param health says whether clients may come
     * @throws UncheckedIOException when the address cannot be listened on
     */
    public static HttpEndpoint start(InetSocketAddress address, Supplier<String> metrics, Health health) {
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "ddlrep-http");
            thread.setDaemon(true);
            return thread;
        });
        HttpEndpoint endpoint = new HttpEndpoint(server, threads, metrics, health);
        server.setExecutor(threads);
        server.createContext("/", endpoint::answer);
        server.start();
        return endpoint;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            send(exchange, NOT_ALLOWED, TEXT, "only GET\n");
            return;
        }
        switch (exchange.getRequestURI().getPath()) {
            case "/metrics" -> send(exchange, OK, PROMETHEUS, metrics.get());
            case "/healthz" -> send(exchange, OK, TEXT, "ok\n");
            case "/readyz" -> {
                String problem = health.problem().orElse("");
                send(
                        exchange,
                        problem.isEmpty() ? OK : UNAVAILABLE,
                        TEXT,
                        problem.isEmpty() ? "ready\n" : problem + "\n");
            }
            default -> send(exchange, NOT_FOUND, TEXT, "there are /metrics, /healthz and /readyz\n");
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : bytes.length);
        if (!head) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
