package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DDL that code runs while a replicated statement is at work: it has the operation's marker, and gets nowhere with it. */
class NestedDdlIT {
    /** A function that says it is immutable may call one that is not. */
    private static final String CODE = """
            CREATE FUNCTION mallory.does(what text) RETURNS void LANGUAGE plpgsql AS $e$ BEGIN EXECUTE what; END $e$;
            CREATE FUNCTION mallory.code(what text, x int DEFAULT 1) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $e$
            BEGIN
                PERFORM mallory.does(what);
                RETURN x;
            END
            $e$;
            CREATE FUNCTION mallory.alters(x int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS
                $e$ SELECT mallory.code('ALTER TABLE mallory.other ADD COLUMN nested int', x) $e$;
            CREATE FUNCTION mallory.drops(x int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS
                $e$ SELECT mallory.code('DROP TABLE mallory.other', x) $e$;
            CREATE FUNCTION mallory.unhooks(x int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS
                $e$ SELECT mallory.code('DROP TRIGGER IF EXISTS "!ddlrep_1i" ON mallory.other; DROP TRIGGER IF EXISTS "!ddlrep_deny" ON mallory.other', x) $e$;
            CREATE FUNCTION mallory.granting() RETURNS void LANGUAGE sql AS $e$ GRANT SELECT ON mallory.other TO PUBLIC $e$;
            CREATE FUNCTION mallory.grants(x int DEFAULT 1) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $e$
            BEGIN
                PERFORM mallory.granting();
                RETURN x;
            END
            $e$;
            CREATE FUNCTION mallory.tries(x int DEFAULT 1) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $e$
            BEGIN
                PERFORM mallory.alters();
                RETURN x;
            EXCEPTION WHEN OTHERS THEN
                RETURN x;
            END
            $e$;
            CREATE FUNCTION mallory.keeping() RETURNS void LANGUAGE sql AS
                $e$ INSERT INTO spy.log VALUES (session_user, current_user, 'marker', current_setting('ddlrep.marker', true)) $e$;
            CREATE FUNCTION mallory.keeps(x int DEFAULT 1) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $e$
            BEGIN
                PERFORM mallory.keeping();
                RETURN x;
            END
            $e$;
            CREATE FUNCTION mallory.trig() RETURNS trigger LANGUAGE plpgsql AS $e$
            BEGIN
                PERFORM mallory.alters();
                RETURN NULL;
            END
            $e$;
            CREATE TABLE mallory.other (id int PRIMARY KEY, v int)""";

    private final AttackedGroup group;
    private Client mallory;

    NestedDdlIT() throws SQLException {
        this.group = AttackedGroup.create("nested", "SET ROLE mallory", CODE, "RESET ROLE");
        this.mallory = group.client("mallory");
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write("mallory", "INSERT INTO mallory.t VALUES (1, 1)");
        group.synchronize();
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    private void refused(String sql) {
        ServerError error = mallory.refused(sql);
        assertThat(error.sqlState()).as(error.toString()).isEqualTo("0A000");
        assertThat(error.message()).contains("was run by code inside another statement");
        assertThat(error.hint()).isEqualTo("Send it as a statement of its own.");
    }

    private void assertUntouched(String... columns) throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows("SELECT attname FROM pg_attribute WHERE attrelid = 'mallory.other'::regclass"
                            + " AND attnum > 0 ORDER BY attnum"))
                    .as("columns of other on %s", node.name())
                    .containsExactly("id", "v");
            assertThat(node.queryRows("SELECT attname FROM pg_attribute WHERE attrelid = 'mallory.t'::regclass"
                            + " AND attnum > 0 AND NOT attisdropped ORDER BY attnum"))
                    .as("columns of t on %s", node.name())
                    .containsExactly(columns);
            assertThat(node.queryText("SELECT relacl FROM pg_class WHERE oid = 'mallory.other'::regclass"))
                    .as("rights on other on %s", node.name())
                    .isNull();
            assertThat(node.queryRows("SELECT tgname FROM pg_trigger WHERE tgrelid = 'mallory.other'::regclass"
                            + " AND tgname IN ('!ddlrep_1i', '!ddlrep_deny')"))
                    .as("triggers of other on %s", node.name())
                    .hasSize(1);
            assertThat(node.queryText("SELECT to_regclass('mallory.made')")).isNull();
        }
        group.write("mallory", "DELETE FROM mallory.other", "INSERT INTO mallory.other VALUES (7, 7)");
        group.assertRows("SELECT * FROM mallory.other", "7|7");
    }

    @Test
    void ddl_of_a_function_that_a_statement_calls_is_refused_and_all_is_undone() throws SQLException {
        for (String sql : List.of(
                "ALTER TABLE mallory.t ADD COLUMN c int DEFAULT mallory.alters()",
                "ALTER TABLE mallory.t ADD COLUMN c int DEFAULT mallory.grants()",
                "ALTER TABLE mallory.t ADD COLUMN c int DEFAULT mallory.unhooks()",
                "ALTER TABLE mallory.t ADD CONSTRAINT c CHECK (mallory.alters(v) > 0)",
                "ALTER TABLE mallory.t ADD CONSTRAINT c CHECK (mallory.drops(v) > 0)",
                "ALTER TABLE mallory.t ALTER COLUMN v TYPE bigint USING mallory.alters(v)",
                "ALTER TABLE mallory.t ADD COLUMN g int GENERATED ALWAYS AS (mallory.drops(v)) STORED",
                "CREATE INDEX i ON mallory.t (mallory.alters(v))",
                "CREATE TABLE mallory.made AS SELECT mallory.alters() AS x",
                "BEGIN; ALTER TABLE mallory.t ADD COLUMN c int; ALTER TABLE mallory.t ADD CHECK (mallory.alters(v) > 0); COMMIT")) {
            refused(sql);
            assertUntouched("id", "v");
        }
    }

    @Test
    void ddl_that_a_function_swallows_the_refusal_of_is_undone_alone() throws SQLException {
        mallory.run("ALTER TABLE mallory.t ADD COLUMN c int DEFAULT mallory.tries()");
        assertUntouched("id", "v", "c");
    }

    @Test
    void ddl_of_a_deferred_trigger_at_commit_is_refused() throws SQLException {
        mallory.run("CREATE TABLE mallory.late (i int PRIMARY KEY)");
        mallory.run("CREATE CONSTRAINT TRIGGER z AFTER INSERT ON mallory.late DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION mallory.trig()");
        refused("BEGIN; ALTER TABLE mallory.t ADD COLUMN c int; INSERT INTO mallory.late VALUES (1); COMMIT");
        assertUntouched("id", "v");
    }

    @Test
    void ddl_of_a_users_event_trigger_is_refused() throws SQLException {
        group.origin()
                .execute(
                        "CREATE FUNCTION spy.audit() RETURNS event_trigger LANGUAGE plpgsql AS $e$ BEGIN"
                                + " IF tg_tag = 'COMMENT' THEN ALTER TABLE mallory.other ADD COLUMN nested int; END IF; END $e$",
                        "CREATE EVENT TRIGGER audit ON ddl_command_end EXECUTE FUNCTION spy.audit()");
        refused("COMMENT ON TABLE mallory.t IS 'x'");
        group.origin()
                .execute(
                        "CREATE OR REPLACE FUNCTION spy.audit() RETURNS event_trigger LANGUAGE plpgsql AS $e$ BEGIN"
                                + " IF tg_tag = 'CREATE TRIGGER' THEN ALTER TABLE mallory.other ADD COLUMN nested int; END IF; END $e$");
        // Before 17 it meets the triggers that ddlrep itself makes.
        String make = "CREATE TABLE mallory.made (i int PRIMARY KEY)";
        if (Integer.parseInt(Objects.requireNonNull(group.origin().queryText("SHOW server_version_num"))) < 170000) {
            refused(make);
        } else {
            mallory.run(make);
            mallory.run("DROP TABLE mallory.made");
        }
        group.origin().execute("DROP EVENT TRIGGER audit");
        assertUntouched("id", "v");
    }

    @Test
    void ddl_of_a_query_is_refused_with_and_without_a_marker_that_was_kept() throws SQLException {
        String nested = "SELECT mallory.alters()";
        ServerError error = mallory.refused("BEGIN; ALTER TABLE mallory.t ADD COLUMN c int; " + nested + "; COMMIT");
        assertThat(error.sqlState()).isEqualTo("55D02");
        assertThat(error.message()).contains("was run by code");
        assertUntouched("id", "v");
        group.nodes().executeOnAll("TRUNCATE spy.log");
        refused("BEGIN; ALTER TABLE mallory.t ADD COLUMN c int DEFAULT mallory.keeps();"
                + " SELECT set_config('ddlrep.marker', came_of_it, true) FROM spy.log WHERE what = 'marker' AND came_of_it <> '';"
                + nested + "; COMMIT");
    }

    @Test
    void ddl_that_an_owner_runs_in_do_is_on_every_node() throws SQLException {
        mallory.run("BEGIN; ALTER TABLE mallory.t ADD COLUMN c int;"
                + " DO $d$ BEGIN ALTER TABLE mallory.other ADD COLUMN nested int; END $d$; COMMIT");
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows("SELECT attrelid::regclass FROM pg_attribute WHERE attname IN ('c', 'nested')"
                            + " AND attrelid IN ('mallory.t'::regclass, 'mallory.other'::regclass) ORDER BY 1"))
                    .containsExactlyInAnyOrder("mallory.t", "mallory.other");
        }
    }

    @Test
    void privileges_that_an_owners_code_grants_in_an_apply_session_stop_the_batch() throws SQLException {
        mallory.run("CREATE TABLE mallory.late (i int PRIMARY KEY CHECK (mallory.grants(i) > 0))");
        try (NodeSession origin = group.session(group.origin())) {
            // On the origin the same is refused too, by the guard.
            assertThat(Client.refusal(() -> origin.execute("INSERT INTO mallory.late VALUES (1)"))
                            .sqlState())
                    .isEqualTo("55D02");
            origin.execute("SET ddlrep.replicate = off; INSERT INTO mallory.late VALUES (1);"
                    + " REVOKE SELECT ON mallory.other FROM PUBLIC");
        }
        ServerError error = Client.refusal(group::synchronize);
        assertThat(error.sqlState()).as(error.toString()).isEqualTo("55D01");
        for (PgNode node : group.replicas()) {
            assertThat(node.queryText("SELECT relacl FROM pg_class WHERE oid = 'mallory.other'::regclass"))
                    .isNull();
        }
    }
}
