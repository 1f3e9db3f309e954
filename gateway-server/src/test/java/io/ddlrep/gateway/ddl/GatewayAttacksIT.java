package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Code of an owner, run by her DDL on every node in the sessions that the gateway opens: it gains nothing anywhere. What it
 * achieved is counted by sequences, which no rollback takes back.
 */
class GatewayAttacksIT {
    private static final String EVIL = """
            CREATE SCHEMA mallory;
            GRANT USAGE ON SCHEMA mallory TO PUBLIC;
            CREATE SEQUENCE mallory.ran;
            CREATE SEQUENCE mallory.achieved;
            CREATE SEQUENCE mallory.somebody_else;
            CREATE FUNCTION mallory.evil(x int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $e$
            DECLARE
                attack text;
            BEGIN
                PERFORM nextval('mallory.ran');
                IF session_user <> 'mallory' OR current_user <> 'mallory' THEN
                    PERFORM nextval('mallory.somebody_else');
                END IF;
                FOREACH attack IN ARRAY ARRAY[
                        'RESET ROLE; ALTER ROLE mallory SUPERUSER', 'RESET SESSION AUTHORIZATION; ALTER ROLE mallory SUPERUSER',
                        'SET ROLE postgres', 'SET SESSION AUTHORIZATION postgres', 'SET ROLE ddlrep_service', 'SET ROLE ddlrep_owner',
                        'CREATE ROLE owned SUPERUSER', 'GRANT ddlrep_owner TO mallory', 'ALTER ROLE mallory CREATEROLE',
                        'SELECT key FROM ddlrep.secret', 'SELECT rolpassword FROM pg_authid',
                        'SELECT ddlrep.login_verifier($$postgres$$)', 'SELECT ddlrep.hmac($$x$$)',
                        'SELECT ddlrep.run($$x$$, 1, $$ALTER ROLE mallory SUPERUSER$$, $$x$$)',
                        'INSERT INTO ddlrep.decision VALUES ($$x$$, $$commit$$, pg_current_xact_id(), 0)',
                        'UPDATE ddlrep.subscription SET tick = 0', 'ALTER EVENT TRIGGER ddlrep_guard_end DISABLE',
                        'SELECT * FROM alice.diary', 'UPDATE alice.diary SET entry = $$forged$$', 'DROP TABLE alice.diary',
                        'COPY mallory.t TO PROGRAM $$true$$'] LOOP
                    BEGIN
                        EXECUTE attack;
                        PERFORM nextval('mallory.achieved');
                        RAISE WARNING 'achieved: %', attack;
                    EXCEPTION WHEN OTHERS THEN
                        NULL;
                    END;
                END LOOP;
                RETURN x;
            END
            $e$;
            CREATE TABLE mallory.t (id int PRIMARY KEY, v int);
            INSERT INTO mallory.t VALUES (1, 1);""";

    private static GatewayGroup group;

    @BeforeAll
    static void start() throws SQLException {
        group = GatewayGroup.scram();
        for (int node = 1; node <= 3; node++) {
            for (String role : List.of("alice", "mallory")) {
                String password = node == 1 ? role : verifier(role);
                local(node, "CREATE ROLE " + role + " LOGIN PASSWORD '" + password + "'");
            }
            local(node, "GRANT CREATE ON DATABASE " + group.node(node).database() + " TO alice, mallory");
        }
        try (Connection alice = group.through().connect("alice", "alice");
                Statement statement = alice.createStatement()) {
            statement.execute("CREATE SCHEMA alice; CREATE TABLE alice.diary (id int PRIMARY KEY, entry text)");
            statement.execute("INSERT INTO alice.diary VALUES (1, 'dear diary')");
        }
        try (Connection mallory = mallory();
                Statement statement = mallory.createStatement()) {
            statement.execute(EVIL);
        }
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static void local(int node, String statement) throws SQLException {
        group.node(node).execute("SET ddlrep.replicate = off", statement);
    }

    private static String verifier(String role) throws SQLException {
        return String.valueOf(
                group.node(1).queryText("SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'"));
    }

    private static Connection mallory() throws SQLException {
        return group.through().connect("mallory", "mallory");
    }

    private static long called(PgNode node, String sequence) throws SQLException {
        return Long.parseLong(String.valueOf(
                node.queryText("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM mallory." + sequence)));
    }

    private static void assertUnharmed() throws SQLException {
        for (int node = 1; node <= 3; node++) {
            PgNode each = group.node(node);
            assertThat(called(each, "achieved"))
                    .as("attacks that worked on n%s", node)
                    .isZero();
            assertThat(called(each, "somebody_else"))
                    .as("runs as somebody else on n%s", node)
                    .isZero();
            assertThat(each.queryRows(
                            "SELECT rolname FROM pg_roles WHERE (rolsuper OR rolcreaterole OR rolname = 'owned')"
                                    + " AND rolname <> '" + each.superuser() + "'"))
                    .isEmpty();
        }
        assertThat(group.node(1).queryRows("SELECT id, entry FROM alice.diary")).containsExactly("1|dear diary");
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE mallory.t ADD CONSTRAINT c CHECK (mallory.evil(v) > 0)",
                "CREATE INDEX i ON mallory.t (mallory.evil(v))",
                "ALTER TABLE mallory.t ADD COLUMN g int GENERATED ALWAYS AS (mallory.evil(v)) STORED",
            })
    void code_in_ddl_gains_nothing_on_any_node(String ddl) throws SQLException {
        long[] before = new long[4];
        for (int node = 1; node <= 3; node++) {
            before[node] = called(group.node(node), "ran");
        }
        try (Connection mallory = mallory();
                Statement statement = mallory.createStatement()) {
            statement.execute(ddl);
        }
        for (int node = 1; node <= 3; node++) {
            // Else nothing would have been tried.
            assertThat(called(group.node(node), "ran")).as("runs on n%s", node).isGreaterThan(before[node]);
        }
        assertUnharmed();
    }

    @Test
    void an_event_trigger_of_hers_is_nothing_that_she_can_make() throws SQLException {
        try (Connection mallory = mallory();
                Statement statement = mallory.createStatement()) {
            statement.execute("CREATE FUNCTION mallory.trap() RETURNS event_trigger LANGUAGE plpgsql AS"
                    + " $$BEGIN EXECUTE 'ALTER ROLE mallory SUPERUSER'; END$$");
            assertThatThrownBy(() -> statement.execute(
                            "CREATE EVENT TRIGGER trap ON ddl_command_end EXECUTE FUNCTION mallory.trap()"))
                    .hasMessageContaining("permission denied");
        }
        assertUnharmed();
    }

    @Test
    void names_that_hide_ones_of_the_server_are_not_called_for_others() throws SQLException {
        try (Connection mallory = mallory();
                Statement statement = mallory.createStatement()) {
            statement.execute("CREATE FUNCTION mallory.format_type(oid, int) RETURNS text LANGUAGE sql AS"
                    + " $$SELECT mallory.evil(1)::text$$");
            statement.execute("CREATE FUNCTION mallory.now() RETURNS timestamptz LANGUAGE sql AS"
                    + " $$SELECT pg_catalog.now() FROM mallory.evil(1)$$");
        }
        long before = called(group.node(2), "ran");
        try (Connection alice = group.through().connect("alice", "alice");
                Statement statement = alice.createStatement()) {
            statement.execute("SET search_path = mallory, pg_catalog, alice");
            statement.execute("ALTER TABLE alice.diary ADD COLUMN IF NOT EXISTS more int");
        }
        assertThat(called(group.node(2), "ran")).isEqualTo(before);
        assertUnharmed();
    }
}
