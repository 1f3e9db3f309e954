package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code ddlrep gateway} as a process of its own. Used by one thread. */
final class GatewayProcess implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern LISTENS = Pattern.compile("listens on ([0-9.]+):([0-9]+)");

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private GatewayProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "gateway-stderr");
        reader.setDaemon(true);
        reader.start();
    }

    /** Makes databases a group of ddlrep, the first the origin, by the command line in this process. */
    static void init(PgGroup databases) {
        List<String> command = new ArrayList<>(List.of("init", "--origin", named(databases.node(1))));
        databases.nodes().stream().skip(1).forEach(replica -> command.addAll(List.of("--replica", named(replica))));
        StringWriter err = new StringWriter();
        int code = Main.run(
                new PrintWriter(new StringWriter(), true), new PrintWriter(err, true), command.toArray(String[]::new));
        assertThat(code).as(err.toString()).isZero();
    }

    private static String named(PgNode node) {
        return node.name() + "=" + node.conninfo();
    }

    /** Starts one, which trusts its clients, and waits until it listens. */
    static GatewayProcess start(PgNode origin, String... more) throws IOException {
        return start(List.of("-XX:TieredStopAtLevel=1"), origin, more);
    }

    /** The same with options of Java's. */
    static GatewayProcess start(List<String> options, PgNode origin, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(options);
        command.addAll(List.of(
                "-Dddlrep.log.level=info",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "gateway",
                "--origin",
                origin.conninfo(),
                "--auth",
                "trust"));
        command.addAll(List.of(more));
        GatewayProcess started = new GatewayProcess(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
        await("it listens").atMost(SOON).until(() -> started.listens() != null || !started.process.isAlive());
        if (started.listens() == null) {
            throw new AssertionError("the gateway ended: " + started.lines);
        }
        return started;
    }

    private void read() {
        try (BufferedReader in = process.errorReader(StandardCharsets.UTF_8)) {
            in.lines().forEach(lines::add);
        } catch (UncheckedIOException | IOException e) {
            lines.add("not read: " + e);
        }
    }

    private @Nullable Matcher listens() {
        for (String line : lines) {
            Matcher matcher = LISTENS.matcher(line);
            if (matcher.find()) {
                return matcher;
            }
        }
        return null;
    }

    int port() {
        return Integer.parseInt(Objects.requireNonNull(listens()).group(2));
    }

    /** A node through it. */
    PgNode through(PgNode node) {
        return node.at("127.0.0.1", port());
    }

    /** What it has said to standard error. */
    List<String> lines() {
        return lines;
    }

    /** Its memory that is really there (RSS), in MB; Linux only. */
    long megabytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
            }
        }
        throw new IOException("no VmRSS in " + status);
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As SIGTERM does; its exit code. */
    int terminate() throws InterruptedException {
        // Not that of the process itself, which closes its streams.
        boolean unused = process.toHandle().destroy();
        if (!process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("it does not end: " + lines);
        }
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
