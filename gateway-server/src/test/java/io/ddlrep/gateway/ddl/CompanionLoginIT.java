package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The gateway logs in on every node as the client, by what the client's own login has left, and never by a password. */
class CompanionLoginIT {
    private static GatewayGroup group;

    @BeforeAll
    static void start() throws SQLException {
        group = GatewayGroup.scram();
        local(1, "CREATE ROLE alice LOGIN PASSWORD 'wonder land'", "CREATE ROLE bob LOGIN PASSWORD 'bob'");
        for (int replica = 2; replica <= 3; replica++) {
            local(
                    replica,
                    "CREATE ROLE alice LOGIN PASSWORD '" + verifier("alice") + "'",
                    "CREATE ROLE bob LOGIN PASSWORD '" + (replica == 3 ? "another" : verifier("bob")) + "'");
        }
        for (int node = 1; node <= 3; node++) {
            local(node, "GRANT CREATE ON SCHEMA public TO alice, bob");
        }
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static void local(int node, String... statements) throws SQLException {
        for (String statement : statements) {
            group.node(node).execute("SET ddlrep.replicate = off", statement);
        }
    }

    private static String verifier(String role) throws SQLException {
        return String.valueOf(
                group.node(1).queryText("SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'"));
    }

    private static Connection connect(String user, String password) throws SQLException {
        return group.through().connect(user, password);
    }

    @Test
    void ddl_of_a_client_is_its_own_on_every_node() throws SQLException {
        try (Connection connection = connect("alice", "wonder land");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE hers (id int PRIMARY KEY)");
            statement.execute("ALTER TABLE hers ADD v text DEFAULT 'x'; INSERT INTO hers VALUES (1)");
        }
        for (int node = 1; node <= 3; node++) {
            PgNode each = group.node(node);
            assertThat(each.queryText("SELECT tableowner FROM pg_tables WHERE tablename = 'hers'"))
                    .isEqualTo("alice");
            assertThat(each.queryRows("SELECT * FROM hers")).containsExactly("1|x");
        }
        group.assertEqualNodes();
    }

    @Test
    void a_node_with_another_password_is_named_and_nothing_is_changed() throws SQLException {
        try (Connection connection = connect("bob", "bob");
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("CREATE TABLE his (id int PRIMARY KEY)"))
                    .isInstanceOfSatisfying(SQLException.class, e -> {
                        assertThat(e.getSQLState()).isEqualTo("28P01");
                        assertThat(e.getMessage())
                                .contains("the password's verifier is not the one of the origin")
                                .contains("on node n3; nothing was changed");
                    });
            assertThat(statement.execute("SELECT 1")).isTrue();
        }
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryText("SELECT to_regclass('his')")).isNull();
        }
    }
}
