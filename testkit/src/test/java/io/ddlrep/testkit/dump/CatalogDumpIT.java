package io.ddlrep.testkit.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CatalogDumpIT {

    private PgGroup group;

    @BeforeAll
    void createTheSameSchemaOnTwoNodes() throws SQLException {
        group = PgGroup.create("catalog", 2);
        group.node(1).execute(SampleSchema.STATEMENTS.toArray(String[]::new));
        // The same schema by another way: other OIDs, other physical order of columns.
        group.node(2).execute("CREATE TABLE public.detour (a int)", "DROP TABLE public.detour");
        group.node(2).execute(SampleSchema.IN_ANOTHER_ORDER.toArray(String[]::new));
    }

    @AfterAll
    void close() {
        group.close();
    }

    @Test
    void the_same_schema_made_in_another_order_dumps_the_same() throws SQLException {
        assertThat(dump(group.node(1)).difference(dump(group.node(2)))).isEmpty();
    }

    @Test
    void no_oid_appears_in_a_dump() throws SQLException {
        assertThat(dump(group.node(1)).text()).doesNotContainPattern("\\b(1[6-9]|[2-9]\\d)\\d{3}\\b");
    }

    @Test
    void the_objects_of_ddlrep_are_left_out() throws SQLException {
        PgNode node = group.node(1);
        try (Connection connection = node.connect();
                Statement statement = connection.createStatement()) {
            final CatalogDump before = CatalogDump.of(connection);
            statement.execute("BEGIN");
            statement.execute("CREATE SCHEMA ddlrep; CREATE SCHEMA ddlrep_shadow");
            statement.execute("CREATE TABLE ddlrep.node (id int PRIMARY KEY); COMMENT ON TABLE ddlrep.node IS 'ours'");
            statement.execute("CREATE FUNCTION ddlrep.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
            statement.execute(
                    "CREATE TRIGGER \"!ddlrep capture\" AFTER INSERT ON app.orders EXECUTE FUNCTION ddlrep.f()");
            statement.execute("COMMENT ON TRIGGER \"!ddlrep capture\" ON app.orders IS 'ours'");
            assertThat(before.difference(CatalogDump.of(connection))).isEmpty();
            statement.execute("ROLLBACK");
        }
    }

    @Test
    void the_session_keeps_its_settings_and_its_transaction() throws SQLException {
        try (Connection connection = group.node(1).connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = app, public; SET TimeZone = 'Pacific/Chatham'");
            connection.setAutoCommit(false);
            statement.execute("CREATE TABLE mine (a int)");
            assertThat(CatalogDump.of(connection).text()).contains("app.mine");
            assertThat(show(statement, "search_path")).isEqualTo("app, public");
            assertThat(show(statement, "TimeZone")).isEqualTo("Pacific/Chatham");
            connection.rollback();
        }
    }

    @ParameterizedTest
    @MethodSource("io.ddlrep.testkit.dump.SampleSchema#changes")
    void a_change_shows_in_the_dump(String change) throws SQLException {
        try (Connection connection = group.node(1).connect();
                Statement statement = connection.createStatement()) {
            final CatalogDump before = CatalogDump.withPositions(connection);
            statement.execute("BEGIN");
            statement.execute(change);
            List<String> difference = before.difference(CatalogDump.withPositions(connection));
            statement.execute("ROLLBACK");
            assertThat(difference).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {14, 15, 16, 18})
    void every_major_writes_the_portable_dump_as_17_does(int major) throws SQLException {
        try (PgGroup mixed = PgGroup.ofMajors("portable", 17, major)) {
            mixed.executeOnAll(SampleSchema.STATEMENTS.toArray(String[]::new));
            try (Connection of17 = mixed.node(1).connect();
                    Connection ofMajor = mixed.node(2).connect()) {
                List<String> difference = CatalogDump.portable(of17).difference(CatalogDump.portable(ofMajor));
                // Up to 15, views are printed with the table's name before every column.
                assertThat(difference)
                        .allMatch(line -> line.startsWith("view ", 2) || line.startsWith("materialized view ", 2));
            }
        }
    }

    private static CatalogDump dump(PgNode node) throws SQLException {
        try (Connection connection = node.connect()) {
            return CatalogDump.withPositions(connection);
        }
    }

    private static String show(Statement statement, String setting) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SHOW " + setting)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
