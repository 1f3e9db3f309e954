package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.io.StringReader;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLException;

/** Traps that wrapping drivers have fallen into. */
class DriverTrapsIT {
    private static PgGroup group;
    private LocalEngine engine;
    private DdlrepDriver driver;
    private Connection connection;

    @BeforeAll
    static void one_node() throws SQLException {
        group = PgGroup.create("traps", 2);
        Databases.alone(group.node(1));
        group.node(1)
                .execute(
                        "CREATE TABLE t (id serial, a text, tags text[])",
                        "INSERT INTO t (a, tags) VALUES ('x', '{p,q}')");
    }

    @AfterAll
    static void gone() {
        group.close();
    }

    @BeforeEach
    void connected() throws SQLException {
        engine = new LocalEngine();
        driver = new DdlrepDriver(engine);
        connection = connect(Map.of());
    }

    @AfterEach
    void closed() throws SQLException {
        connection.close();
        assertThat(engine.open).hasValue(0);
    }

    private Connection connect(Map<String, String> properties) throws SQLException {
        return Databases.connect(driver, group.node(1), properties);
    }

    @Test
    void everything_leads_back_to_the_same_connection_and_statement() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.getConnection()).isSameAs(connection);
            ResultSet rows = statement.executeQuery("SELECT id, tags FROM t");
            assertThat(rows.getStatement()).isSameAs(statement);
            assertThat(statement.getResultSet()).isSameAs(rows).isSameAs(statement.getResultSet());
            rows.next();
            ResultSet elements = rows.getArray("tags").getResultSet();
            assertThat(elements.getStatement().getConnection()).isSameAs(connection);
            assertThat(((Array) rows.getObject(2)).getResultSet().getStatement().getConnection())
                    .isSameAs(connection);
        }
        try (ResultSet tables = connection.getMetaData().getTables(null, null, "t", null)) {
            assertThat(tables.getStatement().getConnection()).isSameAs(connection);
            assertThat(tables.getStatement()).isSameAs(tables.getStatement());
        }
        assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
        assertThat(connection.getMetaData()).isSameAs(connection.getMetaData());
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t (a) VALUES ('k')", Statement.RETURN_GENERATED_KEYS)) {
            insert.executeUpdate();
            ResultSet keys = insert.getGeneratedKeys();
            assertThat(keys.getStatement()).isSameAs(insert);
            assertThat(keys.next()).isTrue();
            assertThat(insert.getGeneratedKeys()).isSameAs(keys);
        }
    }

    @Test
    void a_cursor_in_a_column_leads_back_too() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE FUNCTION pg_temp.c() RETURNS refcursor LANGUAGE plpgsql AS"
                    + " $$ DECLARE c refcursor; BEGIN OPEN c FOR SELECT 1; RETURN c; END $$");
            ResultSet rows = statement.executeQuery("SELECT pg_temp.c()");
            rows.next();
            ResultSet cursor = (ResultSet) rows.getObject(1);
            assertThat(cursor.getStatement().getConnection()).isSameAs(connection);
        }
        connection.rollback();
    }

    @Test
    void casts_and_unwrap_reach_pgjdbc() throws Exception {
        assertThat(connection).isInstanceOf(PGConnection.class).isInstanceOf(BaseConnection.class);
        assertThat(((PGConnection) connection).getBackendPID()).isPositive();
        assertThat(connection.unwrap(PGConnection.class)).isSameAs(connection);
        assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
        assertThat(connection.isWrapperFor(PgConnection.class)).isTrue();
        assertThat(connection.unwrap(PgConnection.class)).isNotSameAs(connection);
        assertThat(connection.isWrapperFor(PgNode.class)).isFalse();
        assertThatThrownBy(() -> connection.unwrap(PgNode.class)).isInstanceOf(SQLException.class);
        assertThat(new CopyManager((BaseConnection) connection)
                        .copyIn("COPY t (a) FROM STDIN", new StringReader("copied\n")))
                .isEqualTo(1);
        try (Statement statement = connection.createStatement()) {
            assertThat(statement).isInstanceOf(PGStatement.class);
            assertThat(statement.unwrap(PGStatement.class)).isSameAs(statement);
            assertThat(statement.isWrapperFor(Statement.class)).isTrue();
        }
    }

    @Test
    void arrays_go_in_and_out() throws SQLException {
        Array made = connection.createArrayOf("int4", new Integer[] {1, 2});
        assertThat(made).hasToString("{\"1\",\"2\"}");
        try (PreparedStatement select = connection.prepareStatement("SELECT ?::int[], ?::int[]")) {
            select.setArray(1, made);
            select.setObject(2, made);
            ResultSet rows = select.executeQuery();
            rows.next();
            assertThat((Integer[]) rows.getArray(1).getArray()).containsExactly(1, 2);
            assertThat((Integer[]) rows.getArray(2).getArray()).containsExactly(1, 2);
        }
    }

    @Test
    void prepared_statements_print_as_pgjdbcs() throws SQLException {
        try (Connection plain = Databases.plain(group.node(1), Map.of());
                PreparedStatement ours = connection.prepareStatement("SELECT ?");
                PreparedStatement theirs = plain.prepareStatement("SELECT ?")) {
            ours.setString(1, "x");
            theirs.setString(1, "x");
            assertThat(ours).hasToString(theirs.toString());
        }
    }

    @Test
    void a_statement_closes_on_completion() throws SQLException {
        Statement statement = connection.createStatement();
        statement.closeOnCompletion();
        statement.executeQuery("SELECT 1").close();
        assertThat(statement.isClosed()).isTrue();
    }

    @Test
    void query_timeout_and_cancel_reach_the_engine_and_not_the_next_statement() throws Exception {
        engine.onPerform = session -> session.client.query("SELECT pg_sleep(20)");
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.execute("CREATE TABLE slow (id int)"))
                    .extracting("SQLState")
                    .isEqualTo("57014");
            engine.onPerform = session -> {};
            statement.execute("CREATE TABLE quick (id int)");
            assertThat(statement.execute("SELECT pg_sleep(0.1)")).isTrue();
        }
        CompletableFuture<LocalEngine.Session> busy = new CompletableFuture<>();
        engine.onPerform = session -> {
            busy.complete(session);
            session.client.query("SELECT pg_sleep(20)");
        };
        Statement statement = connection.createStatement();
        CompletableFuture<SQLException> failure = CompletableFuture.supplyAsync(() -> {
            try {
                statement.execute("CREATE TABLE slow (id int)");
                return new SQLException("it ran");
            } catch (SQLException e) {
                return e;
            }
        });
        busy.join();
        assertThat(connection.isClosed()).isFalse();
        await().until(() -> {
            statement.cancel();
            return failure.isDone();
        });
        assertThat(failure.join().getSQLState()).isEqualTo("57014");
    }

    @Test
    void abort_waits_for_nobody() throws Exception {
        CompletableFuture<LocalEngine.Session> busy = new CompletableFuture<>();
        engine.onPerform = session -> {
            busy.complete(session);
            session.client.query("SELECT pg_sleep(20)");
        };
        Connection victim = connect(Map.of());
        Statement statement = victim.createStatement();
        CompletableFuture<String> failure = CompletableFuture.supplyAsync(() -> {
            try {
                statement.execute("CREATE TABLE slow (id int)");
                return "it ran";
            } catch (SQLException e) {
                return e.getSQLState();
            }
        });
        busy.join();
        victim.abort(task -> new Thread(task).start());
        await().until(victim::isClosed);
        assertThat(failure.join()).isNotEqualTo("it ran");
        await().until(() -> driver.openEngines() == 0);
    }

    @Test
    void another_nodes_lost_connection_does_not_look_like_ours() throws SQLException {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        engine.onPerform = session -> {
            throw thrown.get();
        };
        try (Statement statement = connection.createStatement()) {
            for (String state : List.of("08006", "57P01")) {
                thrown.set(new NodeException("n2", ServerError.of(state, "gone"), null));
                assertThatThrownBy(() -> statement.execute("CREATE TABLE x (id int)"))
                        .isInstanceOf(PSQLException.class)
                        .hasMessageContaining("node n2 cannot be reached")
                        .hasMessageContaining("gone")
                        .extracting("SQLState")
                        .isEqualTo("55000");
            }
            ServerError all = new ServerError("23505", "m", "d", "h", 7, "node n2", "s", "tab", "col", "typ", "con");
            thrown.set(new DdlrepException(all));
            assertThatThrownBy(() -> statement.execute("CREATE TABLE x (id int)"))
                    .isInstanceOfSatisfying(PSQLException.class, e -> {
                        assertThat(e.getServerErrorMessage())
                                .hasToString("ERROR: m\n  Detail: d\n  Hint: h\n  Position: 7\n  Where: node n2");
                        assertThat(e.getServerErrorMessage().getConstraint()).isEqualTo("con");
                        assertThat(e.getServerErrorMessage().getTable()).isEqualTo("tab");
                    });
        }
    }

    @Test
    void notices_are_warnings() throws SQLException {
        engine.onPerform = session -> session.notices.accept(new Notice("ddlrep: done"));
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS t (id int)");
            assertThat(statement.getWarnings().getMessage()).contains("already exists");
            assertThat(statement.getWarnings().getNextWarning().getMessage()).isEqualTo("ddlrep: done");
            assertThat((Throwable) statement.getWarnings().getNextWarning().getNextWarning())
                    .isNull();
            statement.clearWarnings();
            assertThat((Throwable) statement.getWarnings()).isNull();
        }
    }

    @Test
    void what_is_not_ddl_never_reaches_the_engine() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.execute("INSERT INTO t (a) VALUES ('n'); SELECT 1");
            statement.execute("SAVEPOINT s");
            statement.execute("COMMIT");
        }
        connection.setAutoCommit(false);
        connection.setSavepoint();
        connection.commit();
        assertThat(engine.configs).isEmpty();
        assertThat(driver.openEngines()).isZero();
    }

    @Test
    void connections_of_one_driver_share_an_engine_until_the_last_is_closed() throws SQLException {
        try (Connection second = connect(Map.of());
                Connection other = connect(Map.of("lockWait", "5s"));
                Statement a = connection.createStatement();
                Statement b = second.createStatement();
                Statement c = other.createStatement()) {
            a.execute("CREATE TABLE shared_a (id int)");
            b.execute("CREATE TABLE shared_b (id int)");
            assertThat(driver.openEngines()).isEqualTo(1);
            c.execute("CREATE TABLE shared_c (id int)");
            assertThat(driver.openEngines()).isEqualTo(2);
            connection.close();
            assertThat(driver.openEngines()).isEqualTo(2);
        }
        assertThat(driver.openEngines()).isZero();
        assertThat(engine.open).hasValue(0);
        assertThat(engine.configs.get(0).service()).isPresent();
    }

    @Test
    void without_a_group_it_passes_everything_through_and_says_so() throws SQLException {
        try (Connection plain = Databases.connect(driver, group.node(2), Map.of());
                Statement statement = plain.createStatement()) {
            assertThat(plain.getWarnings().getMessage()).contains("no ddlrep group here");
            statement.execute("CREATE TABLE alone (id int)");
            assertThat(engine.configs).isEmpty();
        }
        assertThatThrownBy(() -> Databases.connect(driver, group.node(2), Map.of("requireGroup", "true")))
                .hasMessageContaining("no ddlrep group here")
                .extracting("SQLState")
                .isEqualTo("55000");
    }

    @Test
    void metadata_keeps_the_product_and_tells_our_url_without_passwords() throws SQLException {
        assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("PostgreSQL");
        assertThat(connection.getMetaData().getURL()).isEqualTo(Databases.url(group.node(1)));
    }

    @Test
    void a_data_source_opens_connections_and_pooled_ones() throws SQLException {
        PgNode node = group.node(1);
        DdlrepConnectionPoolDataSource source = new DdlrepConnectionPoolDataSource();
        source.setServerName(node.host());
        source.setPortNumber(node.port());
        source.setDatabaseName(node.database());
        source.setUser(node.superuser());
        source.setPassword(node.password());
        source.setRequireGroup(true);
        try (Connection opened = source.getConnection()) {
            assertThat(opened.isValid(5)).isTrue();
        }
        source.setUrl(node.jdbcUrl());
        var pooled = source.getPooledConnection();
        try (Connection opened = pooled.getConnection();
                Statement statement = opened.createStatement()) {
            assertThat(statement.execute("SELECT 1")).isTrue();
            assertThat(opened.isWrapperFor(PGConnection.class)).isTrue();
        } finally {
            pooled.close();
        }
    }

    @Test
    void prepared_scripts_with_parameters_are_refused_before_anything_runs() throws SQLException {
        try (PreparedStatement script = connection.prepareStatement("CREATE TABLE p (id int); SELECT ?")) {
            script.setInt(1, 1);
            assertThatThrownBy(script::execute).hasMessageContaining("cannot have parameters");
        }
        assertThat(engine.drain()).isEmpty();
    }
}
