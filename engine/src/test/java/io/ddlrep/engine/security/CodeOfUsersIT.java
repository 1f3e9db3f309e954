package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of an ordinary user, reached from all sessions that ddlrep opens: they get no rights but the user's own. */
class CodeOfUsersIT {
    /** Tries everything that must fail, and notes what came of it and as whom it ran. */
    private static final String EVIL = """
            SET check_function_bodies = off;
            GRANT USAGE ON SCHEMA mallory TO PUBLIC;
            CREATE FUNCTION mallory.attacks() RETURNS SETOF text LANGUAGE sql AS $a$
                VALUES ('RESET ROLE'), ('SET ROLE postgres'), ('SET SESSION AUTHORIZATION postgres'), ('RESET SESSION AUTHORIZATION'),
                    ('CREATE ROLE owned SUPERUSER'), ('ALTER ROLE mallory SUPERUSER'), ('ALTER ROLE mallory CREATEROLE'),
                    ('SELECT key FROM ddlrep.secret'), ('SELECT inner_pad FROM ddlrep.secret'), ('SELECT * FROM alice.diary'),
                    ('UPDATE alice.diary SET entry = $$forged$$'), ('TRUNCATE alice.diary'),
                    ('INSERT INTO ddlrep.decision VALUES ($$x$$, $$commit$$, pg_current_xact_id(), 0)'),
                    ('INSERT INTO ddlrep.applied_operation VALUES ($$x$$, pg_current_xact_id(), 0)'),
                    ('UPDATE ddlrep.subscription SET tick = 0'), ('UPDATE ddlrep.replicated_table SET relid = 0'),
                    ('SELECT ddlrep.hmac($$x$$)'), ('SELECT ddlrep.run($$x$$, 1, $$ALTER ROLE mallory SUPERUSER$$, $$x$$)'),
                    ('SELECT ddlrep.enter($$x$$, 1, true, $$x$$)'), ('SET session_replication_role = origin'),
                    ('SET session_replication_role = replica'), ('SET LOCAL row_security = off; SELECT * FROM alice.diary'),
                    ('ALTER EVENT TRIGGER ddlrep_guard_end DISABLE'), ('COPY alice.diary TO STDOUT'),
                    ('COPY spy.log TO PROGRAM $$true$$'), ('GRANT ddlrep_owner TO mallory'), ('GRANT ddlrep_apply TO mallory')
            $a$;
            CREATE FUNCTION mallory.work() RETURNS void LANGUAGE plpgsql AS $e$
            DECLARE
                attack text;
            BEGIN
                FOR attack IN SELECT a FROM mallory.attacks() a
                        UNION ALL SELECT format('INSERT INTO ddlrep_shadow.%I (op) VALUES ($$T$$)', g.shadow)
                            FROM ddlrep.shadow_generation g JOIN ddlrep.replicated_table r USING (table_id) WHERE r.schema_name = 'alice'
                        UNION ALL SELECT format('SELECT * FROM ddlrep_shadow.%I', g.shadow)
                            FROM ddlrep.shadow_generation g JOIN ddlrep.replicated_table r USING (table_id) WHERE r.schema_name = 'alice'
                        UNION ALL SELECT format('SELECT ddlrep_apply.apply_%s($$mallory.t$$, false, 1, $$x$$)', r.table_id)
                            FROM ddlrep.replicated_table r LOOP
                    BEGIN
                        EXECUTE attack;
                        INSERT INTO spy.log VALUES (session_user, current_user, attack, 'done');
                    EXCEPTION WHEN OTHERS THEN
                        INSERT INTO spy.log VALUES (session_user, current_user, attack, SQLSTATE || ' ' || SQLERRM);
                    END;
                END LOOP;
            END
            $e$;
            CREATE FUNCTION mallory.evil(x int DEFAULT 1) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $e$
            BEGIN
                PERFORM mallory.work();
                RETURN x;
            END
            $e$;
            CREATE FUNCTION mallory.hijacked(x anyelement) RETURNS boolean LANGUAGE plpgsql AS $h$
            BEGIN
                INSERT INTO spy.log VALUES (session_user, current_user, 'hijacked', current_query());
                RETURN true;
            END
            $h$;
            CREATE FUNCTION mallory.same(a text, b text) RETURNS boolean LANGUAGE sql AS $s$ SELECT mallory.hijacked(a) $s$;
            CREATE OPERATOR mallory.= (LEFTARG = text, RIGHTARG = text, FUNCTION = mallory.same);
            CREATE FUNCTION mallory.pg_current_xact_id() RETURNS xid8 LANGUAGE sql AS $s$ SELECT pg_catalog.pg_current_xact_id()
                FROM mallory.hijacked(1) $s$;
            CREATE FUNCTION mallory.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $s$ SELECT pg_catalog.clock_timestamp()
                FROM mallory.hijacked(1) $s$;
            CREATE FUNCTION mallory.set_path(x int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $p$
            BEGIN
                PERFORM pg_catalog.set_config('search_path', 'mallory, pg_catalog', false);
                PERFORM pg_catalog.pg_advisory_unlock_all();
                RETURN true;
            END
            $p$;
            CREATE DOMAIN mallory.xid8 AS pg_catalog.xid8 CHECK (mallory.hijacked(1));
            CREATE DOMAIN mallory."char" AS pg_catalog."char" CHECK (mallory.hijacked(1))""";

    private AttackedGroup group;

    CodeOfUsersIT() throws SQLException {
        this.group = AttackedGroup.create("code", "SET ROLE mallory", EVIL, "RESET ROLE");
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write(
                "alice", "INSERT INTO alice.diary VALUES (1, 'dear diary')", "INSERT INTO alice.parent VALUES (1, 1)");
        group.write("mallory", "INSERT INTO mallory.t VALUES (1, 1)");
        group.synchronize();
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE mallory.t ADD COLUMN c int DEFAULT mallory.evil()",
                "CREATE INDEX i ON mallory.t (mallory.evil(v))",
                "ALTER TABLE mallory.t ALTER COLUMN v TYPE bigint USING mallory.evil(v)",
                "ALTER TABLE mallory.t ADD CONSTRAINT c CHECK (mallory.evil(v) > 0)",
                "ALTER TABLE mallory.t ADD COLUMN g int GENERATED ALWAYS AS (mallory.evil(v)) STORED",
                "CREATE TABLE mallory.made AS SELECT mallory.evil() AS x"
            })
    void code_in_the_users_own_ddl_runs_as_the_user_on_every_node(String ddl) throws SQLException {
        group.client("mallory").attempt(ddl);
        assertThat(group.attacksOn(group.origin())).isPositive();
        group.synchronize();
        group.assertUnharmed();
    }

    @Test
    void code_reached_by_rows_runs_as_the_owner_when_they_are_applied_and_when_they_are_carried() throws SQLException {
        Client mallory = group.client("mallory");
        mallory.run("CREATE DOMAIN mallory.d AS int CHECK (mallory.evil(VALUE) > 0)");
        mallory.run(
                "CREATE FUNCTION mallory.trig() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM mallory.evil(); RETURN NEW; END $$");
        mallory.run("CREATE TABLE mallory.r (id int PRIMARY KEY, v int CHECK (mallory.evil(v) > 0), d mallory.d,"
                + " g int GENERATED ALWAYS AS (mallory.evil(v)) STORED)");
        mallory.run("CREATE INDEX ON mallory.r (mallory.evil(v))");
        mallory.run("CREATE TRIGGER z BEFORE INSERT ON mallory.r FOR EACH ROW EXECUTE FUNCTION mallory.trig()");
        mallory.run("ALTER TABLE mallory.r ENABLE ALWAYS TRIGGER z");
        group.nodes().executeOnAll("TRUNCATE spy.log");
        group.write("mallory", "INSERT INTO mallory.r VALUES (1, 1, 1)", "UPDATE mallory.r SET v = 2");
        group.assertRows("SELECT id, v, d, g FROM mallory.r", "1|2|1|2");
        for (PgNode replica : group.replicas()) {
            assertThat(replica.queryRows("SELECT DISTINCT login, runs_as FROM spy.log"))
                    .containsExactly("ddlrep_apply|mallory");
        }
        group.assertUnharmed();
        group.nodes().executeOnAll("TRUNCATE spy.log");
        mallory.run("BEGIN; INSERT INTO mallory.r VALUES (2, 5, 2); ALTER TABLE mallory.t ADD COLUMN more int; COMMIT");
        group.assertRows("SELECT id, v, d, g FROM mallory.r ORDER BY 1", "1|2|1|2", "2|5|2|5");
        for (PgNode replica : group.replicas()) {
            assertThat(replica.queryRows("SELECT DISTINCT login, runs_as FROM spy.log"))
                    .containsExactly("mallory|mallory");
        }
        group.assertUnharmed();
    }

    @Test
    void a_search_path_that_code_of_an_owner_sets_hijacks_nothing_in_an_apply_session() throws SQLException {
        group.client("mallory").run("CREATE TABLE mallory.a (id int PRIMARY KEY, v int CHECK (mallory.set_path(v)))");
        group.client("alice").run("CREATE TABLE alice.z (id int PRIMARY KEY, v text)");
        for (int i = 1; i < 8; i++) {
            group.write("mallory", "INSERT INTO mallory.a VALUES (" + i + ", 1)");
            group.write("alice", "INSERT INTO alice.z VALUES (" + i + ", 'x')");
            group.synchronize();
        }
        group.assertRows("SELECT count(*) FROM alice.z", "7");
        group.assertUnharmed();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DECLARE evil CURSOR WITH HOLD FOR SELECT mallory.hijacked(1)",
                "PREPARE \"S_1\" AS SELECT mallory.hijacked(1)",
                "INSERT INTO mallory.later VALUES (1)"
            })
    void code_that_would_run_at_commit_with_more_rights_stops_the_batch(String left) throws SQLException {
        group.nodes()
                .executeOnAll(
                        "SET ddlrep.replicate = off",
                        """
                CREATE FUNCTION mallory.leave(x int) RETURNS boolean LANGUAGE plpgsql AS $e$
                BEGIN
                    IF session_user <> 'mallory' THEN
                        EXECUTE $x$%s$x$;
                    END IF;
                    RETURN true;
                END $e$;
                CREATE FUNCTION mallory.trig() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM mallory.hijacked(1); RETURN NULL; END $$;
                ALTER FUNCTION mallory.leave OWNER TO mallory; ALTER FUNCTION mallory.trig OWNER TO mallory;
                CREATE SCHEMA apart AUTHORIZATION mallory""".formatted(left.replace("mallory.later", "apart.later")),
                        "SET ROLE mallory",
                        """
                CREATE TABLE apart.later (i int);
                CREATE CONSTRAINT TRIGGER z AFTER INSERT ON apart.later DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mallory.trig();
                ALTER TABLE apart.later ENABLE ALWAYS TRIGGER z""",
                        "RESET ROLE");
        Client mallory = group.client("mallory");
        mallory.run(
                "CREATE TABLE mallory.c (id int PRIMARY KEY REFERENCES alice.parent ON UPDATE CASCADE CHECK (mallory.leave(id)))");
        mallory.run("INSERT INTO mallory.c VALUES (1)");
        boolean harmless = left.startsWith("INSERT") && major() >= 18;
        if (harmless) {
            group.synchronize();
        } else {
            ServerError applied = Client.refusal(group::synchronize);
            assertThat(applied.sqlState()).isEqualTo("42501");
            assertThat(applied.message()).contains("code of a table's owner left");
        }
        group.assertUnharmed();
    }

    private int major() throws SQLException {
        return Integer.parseInt(String.valueOf(group.origin().queryText("SHOW server_version_num"))) / 10000;
    }

    @Test
    void rows_of_another_owner_carried_in_a_superusers_operation_leave_nothing_in_its_sessions() throws SQLException {
        Client mallory = group.client("mallory");
        mallory.run("CREATE TABLE mallory.c (id int PRIMARY KEY REFERENCES alice.parent ON UPDATE CASCADE,"
                + " CHECK (mallory.evil(id) > 0))");
        mallory.run("INSERT INTO mallory.c VALUES (1)");
        group.synchronize();
        Client superuser = group.client();
        superuser.run("BEGIN; UPDATE alice.parent SET id = 2; ALTER TABLE alice.parent ADD COLUMN x int; COMMIT");
        group.assertRows("SELECT id FROM mallory.c", "2");
        group.assertUnharmed();
        mallory.run("ALTER TABLE mallory.c ADD CHECK (mallory.set_path(id))");
        ServerError error = superuser.refused(
                "BEGIN; UPDATE alice.parent SET id = 3; ALTER TABLE alice.parent ADD COLUMN y int; COMMIT");
        assertThat(error.sqlState()).as(error.toString()).isEqualTo("42501");
        assertThat(error.message()).contains("changed settings");
        superuser.run("ALTER TABLE alice.parent ADD COLUMN y int");
        group.assertRows("SELECT id FROM mallory.c", "2");
        group.assertUnharmed();
    }

    @Test
    void casts_of_users_to_and_from_text_are_not_called() throws SQLException {
        Client mallory = group.client("mallory");
        mallory.run("CREATE TYPE mallory.pair AS (a int, b text)");
        mallory.run("CREATE TYPE mallory.mood AS ENUM ('ok', 'bad')");
        for (String type : new String[] {"mallory.pair", "mallory.mood"}) {
            mallory.run("CREATE FUNCTION mallory.to_text(" + type + ") RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
                    + " PERFORM mallory.hijacked(1); RETURN 'forged'; END $$");
            mallory.run("CREATE FUNCTION mallory.of_text_" + type.substring(8) + "(text) RETURNS " + type
                    + " LANGUAGE plpgsql AS $$ BEGIN PERFORM mallory.hijacked(1); RETURN NULL; END $$");
            mallory.run("CREATE CAST (" + type + " AS text) WITH FUNCTION mallory.to_text(" + type + ") AS IMPLICIT");
            mallory.run("CREATE CAST (text AS " + type + ") WITH FUNCTION mallory.of_text_" + type.substring(8)
                    + "(text) AS IMPLICIT");
        }
        mallory.run("CREATE TABLE mallory.typed (id int PRIMARY KEY, p mallory.pair, m mallory.mood)");
        mallory.run("CREATE TABLE mallory.bag (p mallory.pair, m mallory.mood)");
        group.write(
                "mallory",
                "INSERT INTO mallory.typed VALUES (1, ROW(1, 'x'), 'ok')",
                "INSERT INTO mallory.bag SELECT p, m FROM mallory.typed",
                "UPDATE mallory.typed SET m = 'bad'",
                "UPDATE mallory.bag SET m = 'bad'");
        group.assertRows("SELECT format('%s %s', p, m) FROM mallory.typed", "(1,x) bad");
        group.assertRows("SELECT format('%s %s', p, m) FROM mallory.bag", "(1,x) bad");
        mallory.run("BEGIN; UPDATE mallory.typed SET id = 2; ALTER TABLE mallory.typed ADD COLUMN c int; COMMIT");
        group.assertRows("SELECT format('%s %s %s', id, p, m) FROM mallory.typed", "2 (1,x) bad");
        for (PgNode node : group.nodes().nodes()) {
            assertThat(group.attacksOn(node)).isZero();
        }
    }
}
