package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver with the real engine on three nodes. */
class ReplicatedDdlIT {
    private static ReplicatedGroup group;
    private static final DdlrepDriver DRIVER = new DdlrepDriver();
    private static int number;
    private String table;

    @BeforeAll
    static void three_nodes() throws SQLException {
        group = ReplicatedGroup.create("driver");
    }

    @AfterAll
    static void gone() {
        group.close();
        assertThat(DRIVER.openEngines()).isZero();
    }

    @BeforeEach
    void a_table() throws SQLException {
        number++;
        table = "t" + number;
        group.replicate("CREATE TABLE " + table + " (id int PRIMARY KEY, a text)", table);
    }

    private static Connection connect() throws SQLException {
        return group.connect(DRIVER, Map.of());
    }

    private void assertColumns(String expected) throws SQLException {
        assertThat(group.columns(table)).isEqualTo(List.of(expected, expected, expected));
    }

    @Test
    void autocommit_changes_every_node() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("ALTER TABLE " + table + " ADD b int")).isFalse();
            assertThat(statement.getUpdateCount()).isZero();
            assertColumns("a text, b integer, id integer");
        }
    }

    @Test
    void a_transaction_changes_every_node_at_commit() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO " + table + " VALUES (1, 'x')");
            statement.executeUpdate("ALTER TABLE " + table + " ADD b int");
            statement.executeUpdate("UPDATE " + table + " SET b = 7");
            connection.commit();
            assertColumns("a text, b integer, id integer");
            assertThat(group.replica(3).queryRows("SELECT id, a, b FROM " + table))
                    .containsExactly("1|x|7");
        }
    }

    @Test
    void rollback_changes_no_node() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("ALTER TABLE " + table + " ADD b int");
            connection.rollback();
            assertColumns("a text, id integer");
            statement.execute("ALTER TABLE " + table + " ADD c int");
            statement.execute("/* as text */ ROLLBACK");
            assertColumns("a text, id integer");
        }
    }

    @Test
    void ddl_of_functions_and_procedures_changes_every_node_in_each_form_of_execution() throws SQLException {
        group.origin()
                .execute(
                        "CREATE OR REPLACE FUNCTION widens(name text, at integer DEFAULT 0) RETURNS text LANGUAGE plpgsql"
                                + " AS $f$ BEGIN EXECUTE format('ALTER TABLE " + table
                                + " ADD COLUMN %I integer DEFAULT %s', name, at);"
                                + " RETURN name; END $f$");
        group.origin()
                .execute("CREATE OR REPLACE PROCEDURE calls(INOUT name text) LANGUAGE plpgsql"
                        + " AS $f$ BEGIN name := widens(name); END $f$");
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT widens('b')")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("b");
            }
            assertThat(statement.execute("DO $$ BEGIN PERFORM widens('c'); END $$"))
                    .isFalse();
            assertThat(statement.executeUpdate("DO $$ BEGIN PERFORM widens('d'); END $$"))
                    .isZero();
            try (PreparedStatement prepared = connection.prepareStatement("SELECT widens(?, ?)")) {
                prepared.setString(1, "e");
                prepared.setInt(2, 5);
                try (ResultSet rows = prepared.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("e");
                }
            }
            try (CallableStatement call = connection.prepareCall("{? = call widens(?)}")) {
                call.registerOutParameter(1, Types.VARCHAR);
                call.setString(2, "f");
                call.execute();
                assertThat(call.getString(1)).isEqualTo("f");
            }
            try (PreparedStatement prepared = connection.prepareStatement("CALL calls(?)")) {
                prepared.setString(1, "g");
                assertThat(prepared.execute()).isTrue();
            }
            assertColumns("a text, b integer, c integer, d integer, e integer, f integer, g integer, id integer");
            assertThat(statement.executeUpdate("INSERT INTO " + table + " (id, g) VALUES (1, 7)"))
                    .isEqualTo(1);
            assertThatThrownBy(() -> statement.execute("SELECT 1; SELECT widens('h')"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55D02"));
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> statement.execute("SELECT widens('h')"))
                    .hasMessageContaining("outside a transaction block");
            connection.rollback();
        }
        assertColumns("a text, b integer, c integer, d integer, e integer, f integer, g integer, id integer");
    }

    @Test
    void closing_the_connection_rolls_back_everywhere() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("ALTER TABLE " + table + " ADD b int");
        }
        assertColumns("a text, id integer");
        assertThat(DRIVER.openEngines()).isZero();
    }

    @Test
    void savepoints_are_those_of_every_node() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("ALTER TABLE " + table + " ADD b int");
            Savepoint savepoint = connection.setSavepoint();
            statement.execute("ALTER TABLE " + table + " ADD c int");
            connection.rollback(savepoint);
            Savepoint named = connection.setSavepoint("Mine");
            statement.execute("ALTER TABLE " + table + " ADD d int");
            connection.releaseSavepoint(named);
            assertThatThrownBy(() -> statement.execute("ALTER TABLE " + table + " ADD d int"))
                    .extracting("SQLState")
                    .isEqualTo("42701");
            connection.rollback(savepoint);
            statement.execute("ALTER TABLE " + table + " ADD e int");
            connection.setAutoCommit(true);
        }
        assertColumns("a text, b integer, e integer, id integer");
    }

    @Test
    void prepared_ddl_changes_every_node() throws SQLException {
        try (Connection connection = connect();
                PreparedStatement add = connection.prepareStatement("ALTER TABLE " + table + " ADD b int");
                PreparedStatement drop = connection.prepareStatement("ALTER TABLE " + table + " DROP b")) {
            for (int i = 0; i < 7; i++) {
                assertThat(add.executeUpdate()).isZero();
                assertThat(drop.execute()).isFalse();
            }
            assertThat(add.executeUpdate()).isZero();
        }
        assertColumns("a text, b integer, id integer");
    }

    @Test
    void a_script_changes_every_node_or_none() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO " + table + " VALUES (1, 'x'); ALTER TABLE " + table
                    + " ADD b int DEFAULT 5; SELECT b FROM " + table);
            assertThat(statement.getUpdateCount()).isEqualTo(1);
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getMoreResults()).isTrue();
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(5);
            }
            assertThatThrownBy(() -> statement.execute(
                            "ALTER TABLE " + table + " ADD c int; ALTER TABLE " + table + " ADD d nonsense"))
                    .extracting("SQLState")
                    .isEqualTo("42704");
        }
        assertColumns("a text, b integer, id integer");
    }

    @Test
    void a_batch_with_ddl_changes_every_node() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.addBatch("ALTER TABLE " + table + " ADD b int");
            statement.addBatch("INSERT INTO " + table + " VALUES (1, 'x', 2), (2, 'y', 3)");
            statement.addBatch("ALTER TABLE " + table + " ADD c int");
            assertThat(statement.executeBatch()).containsExactly(0, 2, 0);
        }
        assertColumns("a text, b integer, c integer, id integer");
        assertThat(group.replica(2).queryRows("SELECT id, b FROM " + table + " ORDER BY id"))
                .containsExactly("1|2", "2|3");
    }

    @Test
    void an_error_of_the_origin_is_the_servers_own() throws SQLException {
        try (Connection connection = connect();
                Connection plain = Databases.plain(group.origin(), Map.of());
                Statement ours = connection.createStatement();
                Statement theirs = plain.createStatement()) {
            String sql = "/* é */ ALTER TABLE " + table + " ADD b nonsense";
            SQLException expected =
                    org.junit.jupiter.api.Assertions.assertThrows(SQLException.class, () -> theirs.execute(sql));
            SQLException actual =
                    org.junit.jupiter.api.Assertions.assertThrows(SQLException.class, () -> ours.execute(sql));
            assertThat(Transcript.error(actual)).isEqualTo(Transcript.error(expected));
            assertThat(ours.execute("SELECT 1")).isTrue();
        }
    }

    @Test
    void another_connection_that_was_open_all_the_time_sees_the_new_shape() throws SQLException {
        try (Connection first = connect();
                Connection second = connect();
                Statement ddl = first.createStatement();
                PreparedStatement select = second.prepareStatement("SELECT * FROM " + table);
                Statement statement = second.createStatement()) {
            for (int i = 0; i < 7; i++) {
                select.executeQuery().close();
            }
            ddl.execute("ALTER TABLE " + table + " ADD b int");
            ddl.execute("CREATE TABLE " + table + "_new (id int)");
            try (ResultSet rows = select.executeQuery()) {
                assertThat(rows.getMetaData().getColumnCount()).isEqualTo(3);
            }
            assertThat(statement.execute("SELECT * FROM " + table + "_new")).isTrue();
            try (ResultSet columns = second.getMetaData().getColumns(null, null, table, "b")) {
                assertThat(columns.next()).isTrue();
            }
        }
    }

    @Test
    void notices_are_warnings_of_the_statement() throws SQLException {
        try (Connection connection = group.connect(DRIVER, Map.of("notices", "summary"));
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE " + table + " ADD b int");
            SQLWarning warning = statement.getWarnings();
            assertThat((Throwable) warning).isNotNull();
            assertThat(warning.getMessage()).startsWith("ddlrep: ").contains("on 3 nodes");
            statement.execute("SELECT 1");
            assertThat((Throwable) statement.getWarnings()).isNull();
            connection.setAutoCommit(false);
            statement.execute("ALTER TABLE " + table + " ADD c int");
            connection.clearWarnings();
            connection.commit();
            assertThat((Throwable) connection.getWarnings()).isNotNull();
        }
    }

    @Test
    void rollback_and_chain_after_a_failed_ddl_opens_the_next_transaction() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.execute("ALTER TABLE " + table + " ADD b int");
            statement.execute("SAVEPOINT s");
            assertThatThrownBy(() -> statement.execute("ALTER TABLE " + table + " ADD b int"))
                    .hasMessageContaining("already exists");
            statement.execute("ROLLBACK AND CHAIN");
            statement.execute("ALTER TABLE " + table + " ADD c int");
            statement.execute("COMMIT");
            assertColumns("a text, c integer, id integer");
        }
    }

    @Test
    void autosave_undoes_a_failed_ddl_on_every_node() throws SQLException {
        try (Connection connection = group.connect(DRIVER, Map.of("autosave", "always"));
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("ALTER TABLE " + table + " ADD b int");
            assertThatThrownBy(() -> statement.execute("ALTER TABLE " + table + " ADD b int"))
                    .extracting("SQLState")
                    .isEqualTo("42701");
            statement.execute("ALTER TABLE " + table + " ADD c int");
            assertThatThrownBy(() -> statement.execute("SELECT nonsense FROM " + table))
                    .isInstanceOf(SQLException.class);
            connection.commit();
        }
        assertColumns("a text, b integer, c integer, id integer");
    }

    @Test
    void a_replica_refuses_and_names_the_origin() throws SQLException {
        try (Connection connection = Databases.connect(DRIVER, group.replica(2), Map.of());
                Statement statement = connection.createStatement()) {
            assertThat(connection.getWarnings().getMessage())
                    .contains("n2 is a replica")
                    .contains(group.origin().host() + ":" + group.origin().port());
            assertThatThrownBy(() -> statement.execute("ALTER TABLE " + table + " ADD b int"))
                    .isInstanceOf(SQLException.class);
        }
        assertColumns("a text, id integer");
    }

    @Test
    void indexes_are_made_and_dropped_concurrently_on_every_node() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("CREATE INDEX CONCURRENTLY i ON " + table + " (a)"))
                    .isZero();
            assertThat(indexes()).containsOnly("2");
            try (PreparedStatement drop = connection.prepareStatement("DROP INDEX CONCURRENTLY i")) {
                assertThat(drop.executeUpdate()).isZero();
            }
            assertThat(indexes()).containsOnly("1");
            assertThat(statement.execute("SELECT 1")).isTrue();
        }
    }

    private List<String> indexes() throws SQLException {
        List<String> counts = new ArrayList<>();
        for (int node = 1; node <= 3; node++) {
            counts.add(String.valueOf(group.replica(node)
                    .queryText("SELECT count(*) FROM pg_index WHERE indrelid = '" + table + "'::regclass")));
        }
        return counts;
    }

    @Test
    void prepare_transaction_is_refused_while_an_operation_is_open() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.execute("ALTER TABLE " + table + " ADD b int");
            assertThatThrownBy(() -> statement.execute("PREPARE TRANSACTION 'x'"))
                    .hasMessageContaining("ddlrep: PREPARE TRANSACTION is refused")
                    .hasMessageContaining("Commit it, or roll it back")
                    .extracting("SQLState")
                    .isEqualTo("55000");
            statement.execute("COMMIT");
        }
        assertColumns("a text, id integer");
    }

    @Test
    void local_and_temporary_ddl_stays_local() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMP TABLE temporary_one (id int)");
            statement.execute("CREATE TABLE local_" + table + " (id int)");
            statement.execute("DROP TABLE local_" + table);
        }
    }

    @Test
    void without_service_credentials_only_temporary_objects_can_be_made() throws SQLException {
        String role = "driver_app_" + number;
        group.origin().execute("CREATE ROLE " + role + " LOGIN PASSWORD 'secret'");
        try (Connection connection = group.connect(DRIVER, Map.of("user", role, "password", "secret"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMP TABLE mine (id int)");
            assertThatThrownBy(() -> statement.execute("ALTER TABLE " + table + " ADD b int"))
                    .hasMessageContaining("no service credentials")
                    .extracting("SQLState")
                    .isEqualTo("55000");
        } finally {
            group.origin().execute("DROP ROLE " + role);
        }
    }

    @Test
    void an_owner_with_the_service_role_in_the_url_needs_no_superuser() throws SQLException {
        String role = "driver_owner_" + number;
        for (int node = 1; node <= 3; node++) {
            group.replica(node)
                    .execute(
                            "SET ddlrep.replicate = off",
                            "CREATE ROLE " + role + " LOGIN PASSWORD 'secret'",
                            "GRANT CREATE, USAGE ON SCHEMA public TO " + role);
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE " + table + " OWNER TO " + role);
            Map<String, String> properties =
                    Map.of("user", role, "password", "secret", "serviceUser", "ddlrep_service");
            try (Connection owned = group.connect(DRIVER, properties);
                    Statement owner = owned.createStatement()) {
                owner.execute("ALTER TABLE " + table + " ADD b int");
            }
            assertColumns("a text, b integer, id integer");
            statement.execute("DROP TABLE " + table);
        } finally {
            for (int node = 1; node <= 3; node++) {
                group.replica(node).execute("SET ddlrep.replicate = off", "DROP OWNED BY " + role, "DROP ROLE " + role);
            }
        }
    }

    @Test
    void rows_of_a_script_outlive_its_transaction() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.setFetchSize(2);
            assertThat(statement.execute("SELECT * FROM generate_series(1, 9); ALTER TABLE " + table + " ADD b int"))
                    .isTrue();
            int rows = 0;
            try (ResultSet numbers = statement.getResultSet()) {
                while (numbers.next()) {
                    rows++;
                }
            }
            assertThat(rows).isEqualTo(9);
        }
    }
}
