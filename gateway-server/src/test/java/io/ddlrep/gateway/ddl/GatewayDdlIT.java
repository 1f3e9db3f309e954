package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DDL of clients that know nothing of ddlrep, on three nodes, and what may go wrong with it. */
class GatewayDdlIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static GatewayGroup group;
    private static int number;
    private String table;

    @BeforeAll
    static void start() {
        group = GatewayGroup.create("gwddl");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void a_table() throws SQLException {
        number++;
        table = "t" + number;
        group.through()
                .execute(
                        "CREATE TABLE " + table + " (id int PRIMARY KEY, a text)",
                        "INSERT INTO " + table + " VALUES (1, 'a'), (2, 'b')");
    }

    @AfterEach
    void equal_nodes() throws SQLException {
        group.assertEqualNodes();
    }

    private List<String> columns() {
        return IntStream.rangeClosed(1, 3).mapToObj(this::columns).toList();
    }

    private String columns(int node) {
        return String.valueOf(text(
                node,
                "SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = to_regclass('"
                        + table + "') AND attnum > 0 AND NOT attisdropped"));
    }

    private static String text(int node, String sql) {
        try {
            return String.valueOf(group.node(node).queryText(sql));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> indexes() {
        return IntStream.rangeClosed(1, 3)
                .mapToObj(n -> text(n, "SELECT count(*) FROM pg_index WHERE indrelid = '" + table + "'::regclass"))
                .toList();
    }

    private void assertColumns(String expected) {
        assertThat(columns()).containsOnly(expected);
    }

    @Test
    void a_client_is_told_once_on_how_many_nodes() throws SQLException {
        try (Connection connection = group.through().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET application_name = 'psql'");
            statement.execute("ALTER TABLE " + table + " ADD b int");
            SQLWarning told = Objects.requireNonNull(statement.getWarnings());
            assertThat(told.getMessage()).startsWith("ddlrep: ALTER TABLE").contains("on 3 nodes");
            assertThat((Object) told.getNextWarning()).isNull();
            statement.execute("SET client_min_messages = warning");
            statement.execute("ALTER TABLE " + table + " ADD c int");
            assertThat((Object) statement.getWarnings()).isNull();
        }
        assertColumns("id,a,b,c");
    }

    @Test
    void another_database_of_the_server_is_not_the_groups() throws SQLException {
        String other = group.node(1).database() + "_other";
        group.through().execute("CREATE DATABASE " + other);
        try (Connection connection = group.through().withDatabase(other).connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE here (id int PRIMARY KEY); ALTER TABLE here ADD a text");
            connection.setAutoCommit(false);
            statement.execute("ALTER TABLE here DROP a");
            connection.rollback();
            assertThat(statement.execute("SELECT a FROM here")).isTrue();
            connection.rollback();
        } finally {
            group.through().execute("DROP DATABASE " + other);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
    void pgjdbc_in_every_query_mode(String mode) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", group.through().superuser());
        properties.setProperty("password", group.through().password());
        properties.setProperty("preferQueryMode", mode);
        try (Connection connection = DriverManager.getConnection(group.through().jdbcUrl(), properties);
                Statement statement = connection.createStatement();
                PreparedStatement add = connection.prepareStatement("ALTER TABLE " + table + " ADD p int");
                PreparedStatement drop = connection.prepareStatement("ALTER TABLE " + table + " DROP p")) {
            for (int i = 0; i < 7; i++) {
                assertThat(add.executeUpdate()).isZero();
                assertThat(statement.executeUpdate("CREATE INDEX CONCURRENTLY i ON " + table + " (a, p)"))
                        .isZero();
                assertThat(indexes()).containsOnly("2");
                assertThat(statement.executeUpdate("DROP INDEX CONCURRENTLY i")).isZero();
                assertThat(indexes()).containsOnly("1");
                assertThat(statement.executeUpdate("DO $$ BEGIN EXECUTE 'CREATE INDEX i ON " + table
                                + " (a, p)'; DROP INDEX i; CREATE INDEX ON " + table + " (p); END $$"))
                        .isZero();
                assertThat(indexes()).containsOnly("2");
                assertThat(drop.execute()).isFalse();
            }
            statement.execute("SET ddlrep.maintenance = 'all'");
            assertThat(statement.executeUpdate("VACUUM (ANALYZE) " + table)).isZero();
            for (int node = 1; node <= 3; node++) {
                assertThat(text(node, "SELECT count(*) FROM pg_stats WHERE tablename = '" + table + "'"))
                        .as("statistics on n%s", node)
                        .isNotEqualTo("0");
            }
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO " + table + " VALUES (3, 'c')");
            statement.execute("ALTER TABLE " + table + " ADD b int DEFAULT 7");
            Savepoint savepoint = connection.setSavepoint();
            statement.execute("ALTER TABLE " + table + " ADD c int");
            connection.rollback(savepoint);
            statement.addBatch("ALTER TABLE " + table + " ADD d int");
            statement.addBatch("UPDATE " + table + " SET d = id");
            assertThat(statement.executeBatch()).containsExactly(0, 3);
            assertThat(columns(2)).isEqualTo("id,a");
            connection.commit();
            assertColumns("id,a,b,d");
            statement.execute("ALTER TABLE " + table + " ADD e int");
            connection.rollback();
            connection.setAutoCommit(true);
            statement.execute("ALTER TABLE " + table + " ADD f int; INSERT INTO " + table + " VALUES (4, 'd')");
        }
        assertColumns("id,a,b,d,f");
        assertThat(text(3, "SELECT sum(d) FROM " + table)).isEqualTo("6");
    }

    @Test
    void what_a_replica_lacks_is_told_before_anything_is_done() throws SQLException {
        group.node(1).execute("SET ddlrep.replicate = off", "CREATE TYPE only_here AS ENUM ('a')");
        try (WireClient client = WireClient.connect(group.through())) {
            client.query("ALTER TABLE " + table + " ADD x only_here");
            assertThat(client.lines())
                    .contains("Z I")
                    .anySatisfy(line -> assertThat(line)
                            .contains("C=55000")
                            .contains("type only_here is not on node n2")
                            .contains("type only_here is not on node n3"));
        } finally {
            group.node(1).execute("SET ddlrep.replicate = off", "DROP TYPE only_here");
        }
        assertColumns("id,a");
    }

    @Test
    void an_error_of_a_replica_leaves_every_node_and_the_session_as_they_were() throws SQLException {
        group.node(3).execute("SET ddlrep.replicate = off", "CREATE TABLE only_here (id int)");
        try (WireClient client = WireClient.connect(group.through())) {
            client.query("INSERT INTO " + table + " VALUES (9, 'i'); CREATE TABLE only_here (id int)");
            assertThat(client.lines())
                    .contains("C INSERT 0 1", "Z I")
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("E ")
                            .contains("C=42P07")
                            .contains("M=relation \"only_here\" already exists")
                            .contains("n3"));
            client.lines().clear();
            client.query("SELECT count(*) FROM " + table);
            assertThat(client.lines()).contains("D [2]", "Z I");
        } finally {
            group.node(3).execute("SET ddlrep.replicate = off", "DROP TABLE only_here");
        }
        assertThat(text(1, "SELECT to_regclass('only_here')")).isEqualTo("null");
    }

    /** Holds a lock on a node until it is closed. */
    private final class Holder implements AutoCloseable {
        private final Connection connection;

        Holder(int node) throws SQLException {
            connection = group.node(node).connect();
            connection.setAutoCommit(false);
        }

        void lock() throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("LOCK TABLE " + table + " IN ACCESS SHARE MODE");
            }
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }

    private static void awaitOperationAtWork() {
        await("an operation is at work")
                .atMost(SOON)
                .until(() -> !text(
                                1,
                                "SELECT count(*) FROM ddlrep.ddl_operation WHERE state NOT IN ('committed', 'rolled_back')")
                        .equals("0"));
    }

    private static void awaitNobodyOpen() {
        for (int node = 1; node <= 3; node++) {
            int each = node;
            await("no transaction is open on n" + node)
                    .atMost(SOON)
                    .until(() -> text(
                                    each,
                                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                                            + " pid <> pg_backend_pid() AND xact_start IS NOT NULL")
                            .equals("0"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_cancel_while_a_node_is_waited_for_ends_the_statement_everywhere(int node) throws SQLException {
        try (Holder holder = new Holder(node);
                WireClient client = WireClient.connect(group.through())) {
            holder.lock();
            // Over and over, since the cancel may come between two messages to a node, or before the nodes are known.
            for (int round = 0; round < 10; round++) {
                client.lines().clear();
                client.message('Q', "ALTER TABLE " + table + " ADD b int\0").send();
                awaitOperationAtWork();
                client.cancel();
                client.ready();
                assertThat(client.lines())
                        .anyMatch(line -> line.contains("C=57014"))
                        .endsWith("Z I");
            }
            client.lines().clear();
            client.query("SELECT 1");
            assertThat(client.lines()).contains("D [1]", "Z I");
        }
        assertColumns("id,a");
        awaitNobodyOpen();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_client_that_is_gone_takes_its_statement_along(int node) throws SQLException {
        try (Holder holder = new Holder(node)) {
            holder.lock();
            WireClient client = WireClient.connect(group.through());
            client.message('Q', "ALTER TABLE " + table + " ADD b int\0").send();
            awaitOperationAtWork();
            client.kill();
        }
        awaitNobodyOpen();
        group.through().execute("ALTER TABLE " + table + " ADD c int");
        assertThat(columns()).containsAnyOf("id,a,c", "id,a,b,c").hasSameElementsAs(List.of(columns(1)));
    }

    private enum Leaving {
        WITH_TERMINATE,
        BY_A_RESET,
        BY_AN_END_AND_WAITING
    }

    @ParameterizedTest
    @EnumSource(Leaving.class)
    void a_client_that_leaves_an_open_transaction_rolls_it_back_everywhere(Leaving how) throws SQLException {
        WireClient client = WireClient.connect(group.through());
        client.query("BEGIN").query("ALTER TABLE " + table + " ADD b int");
        assertThat(client.lines()).endsWith("Z T");
        switch (how) {
            case WITH_TERMINATE -> client.close();
            case BY_A_RESET -> client.kill();
            case BY_AN_END_AND_WAITING -> {
                client.end();
                client.ready();
                client.kill();
            }
        }
        awaitNobodyOpen();
        assertColumns("id,a");
        group.through().execute("ALTER TABLE " + table + " ADD c int");
        assertColumns("id,a,c");
    }

    @Test
    void a_client_that_is_gone_behind_an_execute_without_a_sync_changes_nothing() throws SQLException {
        WireClient client = WireClient.connect(group.through());
        client.run("ALTER TABLE " + table + " ADD b int").send();
        client.kill();
        awaitNobodyOpen();
        assertColumns("id,a");
    }

    @Test
    void a_session_that_the_origin_ends_in_an_operation_ends_for_the_client() throws SQLException {
        try (Holder holder = new Holder(2);
                WireClient client = WireClient.connect(group.through())) {
            holder.lock();
            client.query("SELECT pg_backend_pid()");
            String pid = client.lines().stream()
                    .filter(line -> line.startsWith("D "))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll("[^0-9]", "");
            client.message('Q', "ALTER TABLE " + table + " ADD b int\0").send();
            awaitOperationAtWork();
            text(1, "SELECT pg_terminate_backend(" + pid + ")");
            client.ready();
            assertThat(client.lines()).anyMatch(line -> line.startsWith("E ")).endsWith("the end");
        }
        awaitNobodyOpen();
        assertColumns("id,a");
    }

    @Test
    void texts_too_large_to_be_kept_pass_but_for_those_that_might_end_an_operation() {
        String large = "INSERT INTO " + table + " VALUES (5, '" + "x".repeat(65 << 20) + "')";
        try (WireClient client = WireClient.connect(group.through())) {
            client.message('Q', large + "\0").send().ready();
            assertThat(client.lines()).contains("C INSERT 0 1").endsWith("Z I");
            client.message('Q', large + "; ALTER TABLE " + table + " ADD b int\0")
                    .send()
                    .ready();
            assertThat(client.lines())
                    .anySatisfy(line -> assertThat(line).startsWith("E ").contains("C=23505"))
                    .endsWith("Z I");
            client.query("DELETE FROM " + table + " WHERE id = 5")
                    .query("BEGIN")
                    .query("ALTER TABLE " + table + " ADD c int");
            client.message('Q', large + "\0").send().ready();
            assertThat(client.lines())
                    .anyMatch(line -> line.contains("C=54000"))
                    .endsWith("the end");
        }
        awaitNobodyOpen();
        assertColumns("id,a");
    }

    @Test
    void two_clients_with_ddl_on_one_table_take_turns() throws SQLException {
        List<CompletableFuture<Void>> all = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    try {
                        group.through().execute("ALTER TABLE " + table + " ADD c" + i + " int");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .toList();
        all.forEach(CompletableFuture::join);
        assertThat(columns(1).split(",")).containsExactlyInAnyOrder("id", "a", "c0", "c1", "c2", "c3");
    }
}
