package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions and procedures with DDL, through the gateway, which knows of it only when the origin's guard has met it. */
class GatewayCodeIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static GatewayGroup group;
    private static int number;
    private String table;

    @BeforeAll
    static void start() {
        group = GatewayGroup.create("gwcode");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void a_table_and_code_that_changes_it() throws SQLException {
        number++;
        table = "t" + number;
        group.through()
                .execute(
                        "CREATE TABLE " + table + " (id int PRIMARY KEY)",
                        "CREATE OR REPLACE FUNCTION widens(name text) RETURNS text LANGUAGE plpgsql AS $f$ BEGIN"
                                + " EXECUTE format('ALTER TABLE " + table + " ADD COLUMN %I integer', name);"
                                + " RETURN name; END $f$",
                        "CREATE OR REPLACE PROCEDURE calls(INOUT name text) LANGUAGE plpgsql"
                                + " AS $f$ BEGIN name := widens(name); END $f$");
    }

    @AfterEach
    void equal_nodes() throws SQLException {
        group.assertEqualNodes();
    }

    private void assertColumns(String expected) {
        assertThat(IntStream.rangeClosed(1, 3).mapToObj(this::columns)).containsOnly(expected);
    }

    private String columns(int node) {
        return text(
                node,
                "SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = '" + table
                        + "'::regclass AND attnum > 0 AND NOT attisdropped");
    }

    private static String text(int node, String sql) {
        try {
            return String.valueOf(group.node(node).queryText(sql));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
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
                PreparedStatement prepared = connection.prepareStatement("SELECT widens(?)");
                CallableStatement call = connection.prepareCall("{? = call widens(?)}")) {
            StringBuilder expected = new StringBuilder("id");
            for (int i = 0; i < 7; i++) {
                prepared.setString(1, "p" + i);
                try (ResultSet rows = prepared.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("p" + i);
                }
                try (ResultSet rows = statement.executeQuery("SELECT widens('s" + i + "')")) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("s" + i);
                }
                expected.append(",p" + i + ",s" + i);
                if (mode.equals("simple")) {
                    continue; // in which pgjdbc itself cannot run it
                }
                call.registerOutParameter(1, Types.VARCHAR);
                call.setString(2, "c" + i);
                call.execute();
                assertThat(call.getString(1)).isEqualTo("c" + i);
                expected.append(",c" + i);
            }
            assertThat(statement.execute("CALL calls('z')")).isTrue();
            assertColumns(expected + ",z");
            assertThat(statement.executeUpdate("INSERT INTO " + table + " (id, z) VALUES (1, 7)"))
                    .isEqualTo(1);
        }
    }

    /** Then its first run was undone together with others, or told the client of, or stands before what was sent behind it. */
    @Test
    void what_is_not_alone_stays_refused_and_says_what_to_do() {
        try (WireClient client = WireClient.connect(group.through())) {
            client.query("BEGIN").query("SELECT widens('b')").query("ROLLBACK");
            client.query("SELECT 1; SELECT widens('b')");
            client.run("SELECT 1").run("SELECT widens('b')").sync();
            client.query("SELECT CASE g WHEN 20000 THEN widens('b') ELSE g::text END FROM generate_series(1, 20000) g");
            client.query("COPY (SELECT widens('b')) TO STDOUT");
            client.query("SELECT widens('b') /* " + "x".repeat(1 << 20) + " */");
            client.message('Q', "SELECT widens('b')\0")
                    .query("SELECT 'behind it'")
                    .ready();
            assertThat(client.lines().stream()
                            .filter(line -> line.startsWith("E "))
                            .toList())
                    .hasSize(7)
                    .allMatch(line -> line.contains("C=55D02") && line.contains("is sent alone"));
            assertThat(client.lines()).contains("D [behind it]").endsWith("Z I");
            client.query("SELECT widens('c')");
            assertThat(client.lines()).contains("D [c]").endsWith("Z I");
        }
        assertColumns("id,c");
    }

    @Test
    void a_cancel_and_a_client_that_is_gone_meet_the_second_run_too() throws SQLException {
        try (Connection holder = group.node(1).connect();
                Statement lock = holder.createStatement();
                WireClient client = WireClient.connect(group.through())) {
            holder.setAutoCommit(false);
            lock.execute("LOCK TABLE " + table);
            client.message('Q', "SELECT widens('b')\0").send();
            awaitWaiting(1);
            client.cancel();
            client.ready();
            assertThat(client.lines())
                    .anyMatch(line -> line.contains("C=57014"))
                    .endsWith("Z I");
            client.lines().clear();
            client.run("SELECT widens('b')").syncLater().send();
            awaitWaiting(1);
            client.kill();
            awaitWaiting(0);
        }
        assertColumns("id");
        group.through().execute("SELECT widens('c')");
        assertColumns("id,c");
    }

    private static void awaitWaiting(int count) {
        await().atMost(SOON)
                .until(() -> text(
                                1,
                                "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted"
                                        + " AND datname = current_database()")
                        .equals(String.valueOf(count)));
    }
}
