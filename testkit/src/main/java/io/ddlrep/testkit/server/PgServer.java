package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One real PostgreSQL server on a free port of 127.0.0.1, with a data directory of its own. It stops and its directory
 * vanishes with {@link #close()}, and at the latest with this JVM, however that ends (see {@link InstanceDirectory}).
 * Thread-safe: starting and stopping exclude each other.
 */
public final class PgServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PgServer.class);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final int PORT_ATTEMPTS = 5;

    private final PgServerOptions options;
    private final PgBinaries binaries;
    private final Path instance;
    private final DataDirectory data;
    private int port;
    private @Nullable Process postmaster;
    private @Nullable Watchdog watchdog;

    private PgServer(PgServerOptions options, PgBinaries binaries, Path instance) {
        this.options = options;
        this.binaries = binaries;
        this.instance = instance;
        this.data = DataDirectory.create(instance.resolve("data"), binaries, options);
    }

    /** Creates and starts a server; returns when it takes connections and its settings are as asked for. */
    public static PgServer start(PgServerOptions options) {
        PgBinaries binaries = PgBinaries.of(options.major());
        PgServer server =
                new PgServer(options, binaries, InstanceDirectory.ofThisJvm().newInstance());
        server.data.configure(options);
        server.startOnFreePort();
        server.assertSettings();
        server.advanceOids();
        return server;
    }

    /** Copies of one cluster would give the same OIDs to the same objects on every node, and hide who relies on it. */
    private void advanceOids() {
        int ordinal = Integer.parseInt(instance.getFileName().toString());
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT lo_unlink(lo_create(0)) FROM generate_series(1, " + 13 * ordinal + ")");
        } catch (SQLException e) {
            throw new TestkitException("cannot advance the OIDs of a new server", e);
        }
    }

    private synchronized void startOnFreePort() {
        String fixed = options.settings().get("port");
        for (int attempt = 1; ; attempt++) {
            port = fixed == null ? freePort() : Integer.parseInt(fixed);
            try {
                start();
                return;
            } catch (TestkitException e) {
                // Between our look and the server's bind another process may have taken the port.
                boolean portTaken = log().contains("could not bind");
                if (!portTaken || fixed != null || attempt == PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Starts a server that was stopped or killed, on its old port; recovers as PostgreSQL does. */
    public synchronized void start() {
        if (postmaster != null) {
            throw new IllegalStateException("server on port " + port + " runs already");
        }
        List<String> command = Unprivileged.command(List.of(
                binaries.program("postgres").toString(), "-D", data.path().toString(), "-p", Integer.toString(port)));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                    .start();
        } catch (IOException e) {
            throw new TestkitException("cannot run " + command, e);
        }
        postmaster = process;
        watchdog = Watchdog.over(process.pid(), instance);
        InstanceDirectory.ofThisJvm().started(this);
        awaitReady(process);
    }

    private void awaitReady(Process process) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!data.isReady(process.pid())) {
            boolean exited = waitFor(process, POLL);
            if (exited || System.nanoTime() > deadline) {
                kill9();
                throw new TestkitException("PostgreSQL " + binaries.version() + " did not start; its log:\n" + log());
            }
        }
    }

    private static boolean waitFor(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while waiting for process " + process.pid(), e);
        }
    }

    /** PostgreSQL's fast shutdown: sessions are ended, a checkpoint is written. */
    public void stop() {
        shutDown("INT");
    }

    /** PostgreSQL's immediate shutdown: sessions are ended, nothing is written; recovery at the next start. */
    public void stopImmediate() {
        shutDown("QUIT");
    }

    /** SIGKILL to the postmaster and every process of it; returns when all are gone. */
    public synchronized void kill9() {
        Process process = postmaster;
        if (process != null) {
            ProcessTree.kill(process.toHandle());
            forgetProcess();
        }
    }

    /** {@link #stop()} if it runs, and {@link #start()}. */
    public synchronized void restart() {
        stop();
        start();
    }

    private synchronized void shutDown(String signal) {
        Process process = postmaster;
        if (process == null) {
            return;
        }
        ProcessTree.signal(process.toHandle(), signal);
        if (!waitFor(process, START_LIMIT)) {
            LOG.warn("server on port {} does not stop: killing it", port);
            ProcessTree.kill(process.toHandle());
        }
        forgetProcess();
    }

    private synchronized void forgetProcess() {
        if (watchdog != null) {
            watchdog.close();
        }
        watchdog = null;
        postmaster = null;
        InstanceDirectory.ofThisJvm().stopped(this);
    }

    /** Stops the server at once and deletes its directory. */
    @Override
    public synchronized void close() {
        stopImmediate();
        data.killServer();
        try {
            Trees.delete(instance);
        } catch (IOException e) {
            LOG.warn("cannot delete {}: {}", instance, e.toString());
        }
    }

    public synchronized boolean isRunning() {
        return postmaster != null && postmaster.isAlive();
    }

    public PgServerOptions options() {
        return options;
    }

    public int major() {
        return options.major();
    }

    public String host() {
        return "127.0.0.1";
    }

    public synchronized int port() {
        return port;
    }

    public String superuser() {
        return DataDirectory.SUPERUSER;
    }

    public String password() {
        return DataDirectory.PASSWORD;
    }

    public Path dataDirectory() {
        return data.path();
    }

    /** Where the Unix socket is. */
    public Path socketDirectory() {
        return instance;
    }

    public Path logFile() {
        return instance.resolve("postgres.log");
    }

    /** What the server has logged so far. */
    public String log() {
        try {
            return Files.readString(logFile());
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }

    /** A new superuser connection to the database; the caller closes it. */
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + host() + ":" + port() + "/" + database, superuser(), password());
    }

    private void assertSettings() {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> asked : options.asked().entrySet()) {
                String shown = show(statement, asked.getKey());
                // The server may spell a value its own way: 65536kB is shown as 64MB. Then its source must tell.
                if (!shown.equals(asked.getValue()) && !isApplied(statement, asked.getKey())) {
                    throw new TestkitException(
                            asked.getKey() + " is " + shown + " although " + asked.getValue() + " was asked for");
                }
            }
        } catch (SQLException e) {
            throw new TestkitException("cannot check the settings of a new server", e);
        }
    }

    private static String show(Statement statement, String setting) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SHOW " + setting)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static boolean isApplied(Statement statement, String setting) throws SQLException {
        String sql = "SELECT f.applied AND s.source = 'configuration file' FROM pg_file_settings f"
                + " JOIN pg_settings s USING (name) WHERE f.name = '" + setting + "' ORDER BY f.seqno DESC LIMIT 1";
        try (ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new TestkitException("no free port", e);
        }
    }

    @Override
    public String toString() {
        return "PostgreSQL " + binaries.version() + " on port " + port();
    }
}
