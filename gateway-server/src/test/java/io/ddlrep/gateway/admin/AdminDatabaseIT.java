package io.ddlrep.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ddlrep.gateway.ddl.GatewayGroup;
import io.ddlrep.testkit.PgNode;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;

/** The virtual database of a gateway before three nodes that ask everybody for a password. */
class AdminDatabaseIT {
    private static GatewayGroup group;

    @BeforeAll
    static void start() throws SQLException {
        group = GatewayGroup.scram();
        // Roles are each server's own; a verifier has a random salt, and must be the same one everywhere.
        List<String> verifiers = new ArrayList<>();
        for (String role : List.of("reader", "stranger")) {
            group.node(1).execute("CREATE ROLE " + role + " LOGIN PASSWORD '" + role + "'");
            verifiers.add(group.node(1)
                    .queryRows("SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'")
                    .get(0));
        }
        for (int node = 2; node <= 3; node++) {
            group.node(node).execute("CREATE ROLE reader LOGIN PASSWORD '" + verifiers.get(0) + "'");
        }
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void table() throws SQLException {
        group.through().execute("CREATE TABLE t (id int PRIMARY KEY, amount numeric, made timestamptz, note text)");
        group.through()
                .execute("INSERT INTO t VALUES (1, 1.50, '2024-02-29 12:00:00.123456+00', 'a'), (2, NULL, NULL, NULL)");
    }

    @AfterEach
    void noTable() throws SQLException {
        group.through().execute("DROP TABLE t");
    }

    private static Connection connect(String user, String password, String mode) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("preferQueryMode", mode);
        properties.setProperty("prepareThreshold", "-1");
        PgNode through = group.through();
        return DriverManager.getConnection(
                "jdbc:postgresql://" + through.host() + ":" + through.port() + "/ddlrep", properties);
    }

    private static Connection admin(String mode) throws SQLException {
        return connect(group.node(1).superuser(), group.node(1).password(), mode);
    }

    private static List<String> rows(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            List<String> rows = new ArrayList<>();
            try (ResultSet results = statement.executeQuery()) {
                int columns = results.getMetaData().getColumnCount();
                while (results.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= columns; i++) {
                        row.add(results.getString(i));
                    }
                    rows.add(String.join("|", row));
                }
            }
            return rows;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void every_table_is_shown_and_selected_alike(String mode) throws SQLException {
        try (Connection connection = admin(mode)) {
            List<String> tables = rows(connection, "SHOW HELP").stream()
                    .filter(line -> line.startsWith("SHOW ") && !line.startsWith("SHOW table"))
                    .map(line -> line.substring("SHOW ".length(), line.indexOf('|')))
                    .toList();
            assertThat(tables)
                    .contains("CLIENTS", "SERVERS", "NODES", "PUBLICATIONS", "TABLES", "OPERATIONS", "STEPS", "INDOUBT")
                    .contains("LOCKS", "BACKLOG", "DRIFT", "STATS", "CONFIG", "VERSION", "STATE");
            for (String table : tables) {
                List<String> shown = columns(connection, "SHOW " + table);
                assertThat(columns(connection, "SELECT * FROM \"" + table.toLowerCase(Locale.ROOT) + "\""))
                        .as(table)
                        .isEqualTo(shown);
            }
        }
    }

    private static List<String> columns(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(sql)) {
            List<String> columns = new ArrayList<>();
            for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
                columns.add(results.getMetaData().getColumnName(i) + " "
                        + results.getMetaData().getColumnTypeName(i));
            }
            return columns;
        }
    }

    @Test
    void the_group_is_told_of() throws SQLException {
        try (Connection connection = admin("extended")) {
            assertThat(rows(connection, "SELECT name, role, state, problem FROM nodes ORDER BY name"))
                    .containsExactly("n1|origin|up|", "n2|replica|up|", "n3|replica|up|");
            assertThat(rows(connection, "SELECT publication, \"schema\", \"table\" FROM tables"))
                    .containsExactly("default|public|t");
            assertThat(rows(
                            connection,
                            "SELECT state, nodes FROM operations WHERE statements LIKE '%CREATE TABLE t (%' LIMIT 1"))
                    .containsExactly("committed|n2, n3");
            assertThat(rows(connection, "SHOW INDOUBT")).isEmpty();
            assertThat(rows(connection, "RESOLVE")).contains("nothing is left to do");
            assertThat(rows(connection, "SELECT \"value\" FROM config WHERE key = $1".replace("$1", "?"), "listen"))
                    .containsExactly("somewhere");
        }
    }

    @Test
    void tables_of_nodes_are_joined_and_compared() throws SQLException {
        group.assertEqualNodes();
        group.through().execute("UPDATE t SET note = 'changed' WHERE id = 1");
        String drift = "SELECT * FROM n1.public.t EXCEPT SELECT * FROM n2.public.t";
        try (Connection connection = admin("extended")) {
            assertThat(rows(connection, drift)).containsExactly("1|1.50|2024-02-29 12:00:00.123456+00|changed");
            assertThat(rows(
                            connection,
                            "SELECT a.id, a.note, b.note FROM n1.public.t a JOIN n3.public.t b ON b.id = a.id"
                                    + " WHERE a.id = ? AND a.note <> b.note",
                            1))
                    .containsExactly("1|changed|a");
            assertThat(rows(
                            connection,
                            "SELECT n.name, (SELECT count(*) FROM n2.public.t WHERE note = 'a') FROM nodes n"
                                    + " WHERE n.role = 'origin'"))
                    .containsExactly("n1|1");
            group.assertEqualNodes();
            assertThat(rows(connection, drift)).isEmpty();
        }
    }

    @Test
    void values_travel_in_binary_form() throws SQLException {
        try (Connection connection = admin("extended")) {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT amount, id, id = 1, CAST(id AS BIGINT), CAST(0.5 AS DOUBLE), note FROM n1.public.t"
                            + " WHERE id = ?")) {
                statement.setInt(1, 1);
                try (ResultSet results = statement.executeQuery()) {
                    assertThat(results.next()).isTrue();
                    assertThat(results.getBigDecimal(1)).isEqualTo(new BigDecimal("1.50"));
                    assertThat(results.getInt(2)).isEqualTo(1);
                    assertThat(results.getBoolean(3)).isTrue();
                    assertThat(results.getLong(4)).isEqualTo(1L);
                    assertThat(results.getDouble(5)).isEqualTo(0.5);
                    assertThat(results.getString(6)).isEqualTo("a");
                }
            }
            assertThat(rows(connection, "SELECT count(*) FROM n1.public.t WHERE amount = ?", new BigDecimal("1.5")))
                    .containsExactly("1");
        }
    }

    @Test
    void rows_are_fetched_in_portions() throws SQLException {
        group.through().execute("INSERT INTO t SELECT i, i, now(), 'x' FROM generate_series(10, 3009) i");
        try (Connection connection = admin("extended")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(7);
                try (ResultSet results = statement.executeQuery("SELECT id FROM n1.public.t WHERE id >= 10")) {
                    int read = 0;
                    while (results.next()) {
                        read++;
                    }
                    assertThat(read).isEqualTo(3000);
                }
            }
            connection.commit();
        }
    }

    @Test
    void rights_on_a_node_are_those_of_the_client() throws SQLException {
        try (Connection connection = connect("reader", "reader", "extended")) {
            assertThat(rows(connection, "SELECT count(*) FROM nodes")).containsExactly("3");
            assertRefused(connection, "SELECT * FROM n2.public.t", "42501", "node n2: permission denied for table t");
            group.through().execute("GRANT SELECT ON t TO reader");
            assertThat(rows(connection, "SELECT count(*) FROM n1.public.t")).containsExactly("2");
        }
    }

    @Test
    void who_is_not_named_is_refused_behind_the_password() {
        assertThatThrownBy(() -> connect("stranger", "stranger", "extended"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
        assertThatThrownBy(() -> connect("stranger", "wrong", "extended"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
        assertThatThrownBy(() -> connect("reader", "wrong", "extended"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
    }

    @Test
    void commands_are_for_admins() throws SQLException {
        try (Connection connection = connect("reader", "reader", "simple")) {
            for (String command : List.of("PAUSE", "RESUME", "RELOAD", "DRAIN", "KILL_CLIENT 1", "RESOLVE")) {
                assertRefused(connection, command, "42501", "permission denied for " + command.replace(" 1", ""));
            }
        }
    }

    @Test
    void paused_ddl_waits_until_it_is_resumed_or_cancelled() throws SQLException {
        try (Connection connection = admin("simple");
                Connection client = group.through().connect();
                Statement statement = client.createStatement()) {
            execute(connection, "PAUSE");
            try {
                CompletableFuture<Void> first = inBackground(statement, "ALTER TABLE t ADD b int");
                awaitOperating(connection, 1);
                statement.cancel();
                assertThatThrownBy(first::join)
                        .rootCause()
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("57014"));
                // Rows are none of its business.
                statement.execute("INSERT INTO t VALUES (3)");
                CompletableFuture<Void> second = inBackground(statement, "ALTER TABLE t ADD c int");
                awaitOperating(connection, 1);
                assertThat(second).isNotDone();
                execute(connection, "RESUME");
                second.join();
            } finally {
                execute(connection, "RESUME");
            }
        }
        assertThat(group.node(2)
                        .queryRows("SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute"
                                + " WHERE attrelid = 't'::regclass AND attnum > 0"))
                .containsExactly("id,amount,made,note,c");
    }

    private static CompletableFuture<Void> inBackground(Statement statement, String sql) {
        return CompletableFuture.runAsync(() -> {
            try {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void awaitOperating(Connection connection, int clients) {
        await().untilAsserted(() -> assertThat(rows(connection, "SELECT count(*) FROM clients WHERE operating"))
                .containsExactly(Integer.toString(clients)));
    }

    @Test
    void a_client_is_killed() throws SQLException {
        try (Connection connection = admin("extended");
                Connection client = group.through().connect()) {
            client.setClientInfo("ApplicationName", "later");
            String id = rows(
                            connection,
                            "SELECT id FROM clients WHERE \"user\" = ? AND state = 'idle'",
                            group.node(1).superuser())
                    .get(0);
            execute(connection, "KILL_CLIENT " + id);
            assertThatThrownBy(() -> execute(client, "SELECT 1"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isIn("57P01", "08006"));
            assertRefused(connection, "KILL_CLIENT 1000000", "42704", "there is no client 1000000");
        }
    }

    @Test
    void errors_have_the_servers_states_and_positions() throws SQLException {
        try (Connection connection = admin("simple")) {
            assertRefused(connection, "SELECT * FROM nowhere", "42P01", "Object 'nowhere' not found");
            assertRefused(connection, "SELECT nothing FROM nodes", "42703", "'nothing'");
            assertRefused(connection, "SELECT FROM WHERE", "42601", "");
            assertRefused(connection, "SHOW nonsense", "42704", "nonsense");
            assertRefused(connection, "CREATE TABLE x (a int)", "0A000", "has no command CREATE");
            assertRefused(connection, "RELOAD", "55000", "this gateway has no file");
            assertThatThrownBy(() -> execute(connection, "SELECT 1; SELECT nothing FROM nodes"))
                    .isInstanceOfSatisfying(
                            PSQLException.class,
                            e -> assertThat(e.getServerErrorMessage().getPosition())
                                    .isEqualTo(18));
            // Nothing of it stays.
            assertThat(rows(connection, "VALUES (1)")).containsExactly("1");
        }
    }

    @Test
    void a_query_is_cancelled() throws SQLException {
        try (Connection connection = admin("extended");
                Statement statement = connection.createStatement()) {
            String a = "n1.pg_catalog.pg_attribute";
            CompletableFuture<Void> endless = inBackground(
                    statement,
                    "SELECT count(*) FROM " + a + " a, " + a + " b, " + a + " c WHERE a.attname = c.attname");
            await().until(() -> {
                statement.cancel();
                return endless.isDone();
            });
            assertThatThrownBy(endless::join)
                    .rootCause()
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            assertThat(rows(connection, "VALUES (1)")).containsExactly("1");
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void assertRefused(Connection connection, String sql, String state, String message) {
        assertThatThrownBy(() -> execute(connection, sql))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
                .hasMessageContaining(message);
    }
}
