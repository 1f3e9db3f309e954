package io.ddlrep.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PgServerIT {

    @ParameterizedTest
    @ValueSource(ints = {14, 15, 16, 17, 18})
    void every_major_starts_with_the_settings_that_were_asked_for(int major) throws SQLException {
        PgServerOptions options = PgServerOptions.of(major)
                .withFsync(true)
                .withSynchronousCommit("local")
                .withMaxPreparedTransactions(7)
                .withMaxConnections(33)
                .withSetting("wal_level", "logical")
                .withSetting("work_mem", "1024kB");
        try (PgServer server = PgServer.start(options);
                Connection connection = server.connect("postgres")) {
            assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(major);
            assertThat(show(connection, "fsync")).isEqualTo("on");
            assertThat(show(connection, "synchronous_commit")).isEqualTo("local");
            assertThat(show(connection, "max_prepared_transactions")).isEqualTo("7");
            assertThat(show(connection, "max_connections")).isEqualTo("33");
            assertThat(show(connection, "wal_level")).isEqualTo("logical");
            assertThat(show(connection, "work_mem")).isEqualTo("1MB");
        }
    }

    @Test
    void a_setting_that_the_server_does_not_know_fails_the_start_and_shows_the_log() {
        PgServerOptions options = PgServerOptions.defaults().withSetting("no_such_setting", "1");
        assertThatThrownBy(() -> PgServer.start(options))
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("unrecognized configuration parameter");
    }

    @Test
    void a_port_that_was_asked_for_is_taken_or_the_start_fails() {
        try (PgServer first = PgServer.start(PgServerOptions.defaults())) {
            PgServerOptions same = PgServerOptions.defaults().withSetting("port", Integer.toString(first.port()));
            assertThatThrownBy(() -> PgServer.start(same))
                    .isInstanceOf(TestkitException.class)
                    .hasMessageContaining("could not bind");
            first.stop();
            try (PgServer second = PgServer.start(same)) {
                assertThat(second.port())
                        .isEqualTo(Integer.parseInt(same.settings().get("port")));
            }
        }
    }

    @Test
    void scram_refuses_a_wrong_password_and_trust_asks_for_none() throws SQLException {
        PgServerOptions scram = PgServerOptions.defaults().withAuthentication(PgServerOptions.Authentication.SCRAM);
        try (PgServer server = PgServer.start(scram)) {
            server.connect("postgres").close();
            assertThatThrownBy(() -> connect(server, "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
        }
        try (PgServer server = PgServer.start(PgServerOptions.defaults())) {
            connect(server, "wrong").close();
        }
    }

    @Test
    void kill9_ends_every_process_of_the_server_and_start_recovers() throws SQLException {
        try (PgServer server = PgServer.start(PgServerOptions.defaults())) {
            List<ProcessHandle> processes = processesOf(server);
            assertThat(processes).hasSizeGreaterThan(4);
            final int port = server.port();
            try (Connection connection = server.connect("postgres")) {
                execute(connection, "CREATE TABLE t AS SELECT 1 AS id");
                server.kill9();
            }
            assertThat(processes).noneMatch(PgServerIT::lives);
            assertThat(server.isRunning()).isFalse();
            server.start();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.log()).contains("database system was not properly shut down");
            try (Connection connection = server.connect("postgres")) {
                execute(connection, "DROP TABLE t");
            }
        }
    }

    @Test
    void restart_shuts_down_cleanly_and_stop_immediate_does_not() {
        try (PgServer server = PgServer.start(PgServerOptions.defaults())) {
            server.restart();
            assertThat(server.log()).doesNotContain("not properly shut down");
            server.stopImmediate();
            server.start();
            assertThat(server.log()).contains("not properly shut down");
        }
    }

    @Test
    void close_leaves_no_process_no_directory_and_no_shared_memory() throws IOException {
        PgServer server = PgServer.start(PgServerOptions.defaults());
        List<ProcessHandle> processes = processesOf(server);
        Path instance = server.socketDirectory();
        assertThat(instance).isDirectoryContaining("glob:**/.s.PGSQL.*");
        // Line 7 of the pid file: key and id of the System V segment.
        String segment = Files.readAllLines(server.dataDirectory().resolve("postmaster.pid"))
                .get(6)
                .strip()
                .replaceAll(".*\\s", "");
        assertThat(sharedMemory(segment)).isTrue();
        server.kill9();
        assertThat(sharedMemory(segment)).isTrue();
        server.close();
        assertThat(processes).noneMatch(PgServerIT::lives);
        assertThat(instance).doesNotExist();
        assertThat(sharedMemory(segment)).isFalse();
    }

    @Test
    void files_of_a_server_belong_to_the_user_that_started_it() throws IOException {
        try (PgServer server = PgServer.start(PgServerOptions.defaults())) {
            assertThat(Files.getOwner(server.dataDirectory().resolve("postmaster.pid")))
                    .isEqualTo(Files.getOwner(server.socketDirectory()));
        }
    }

    private static Connection connect(PgServer server, String password) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres", "postgres", password);
    }

    private static List<ProcessHandle> processesOf(PgServer server) {
        return ProcessHandle.allProcesses()
                .filter(handle -> isOf(handle, server))
                .flatMap(handle -> Stream.concat(Stream.of(handle), handle.children()))
                .distinct()
                .toList();
    }

    private static boolean isOf(ProcessHandle handle, PgServer server) {
        return handle.info()
                .commandLine()
                .filter(line -> line.contains(server.dataDirectory().toString()))
                .isPresent();
    }

    private static boolean lives(ProcessHandle handle) {
        return handle.isAlive() && !ProcessTree.isZombie(handle);
    }

    private static boolean sharedMemory(String id) {
        return Commands.run(List.of("ipcs", "-m", "-i", id)).output().contains("shmid=" + id);
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + setting)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
