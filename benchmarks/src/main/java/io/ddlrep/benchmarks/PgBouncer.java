package io.ddlrep.benchmarks;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A PgBouncer in session mode in front of a database; closing it ends it. Used by one thread. */
final class PgBouncer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Process process;
    private final PgNode node;

    private PgBouncer(Process process, PgNode node) {
        this.process = process;
        this.node = node;
    }

    /** Starts one; empty where the program is not installed. */
    static Optional<PgBouncer> start(PgNode behind) throws IOException, InterruptedException {
        Optional<Path> program = Programs.find("pgbouncer");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        int port = GatewayRelay.freePort();
        Path folder = Files.createTempDirectory(
                "ddlrep-pgbouncer", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Path users = Files.writeString(folder.resolve("users"), "\"" + behind.superuser() + "\" \"\"\n");
        Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                %s = host=%s port=%d dbname=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = session
                default_pool_size = 100
                max_client_conn = 200
                ignore_startup_parameters = extra_float_digits
                log_connections = 0
                log_disconnections = 0
                """.formatted(
                        behind.database(), behind.host(), behind.port(), behind.database(), port, users));
        List<String> command = new ArrayList<>(List.of(program.get().toString(), "-q"));
        if ("root".equals(System.getProperty("user.name"))) {
            // It refuses to be root.
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(settings.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!listens(port)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroy();
                throw new IOException("pgbouncer did not start: " + Files.readString(folder.resolve("log")));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return Optional.of(new PgBouncer(process, behind.at("127.0.0.1", port)));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** The database through it. */
    PgNode node() {
        return node;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
