package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.ServerError;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DDL in DO blocks, functions, procedures and triggers: the replicas run the commands that it ran, and its rows arrive as rows. */
class CodeIT {
    private static TestGroup group;
    private TestClient client;

    @BeforeAll
    static void start() throws SQLException {
        group = TestGroup.create("code");
        group.run("CREATE SCHEMA other");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        group.run("DROP TABLE IF EXISTS t, made, made2 CASCADE");
        group.run("DROP TYPE IF EXISTS mood");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        client = group.client();
    }

    private void assertEverywhere(String sql, String... rows) throws SQLException {
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryRows(sql)).as("n" + node).containsExactly(rows);
        }
        group.assertEqualNodes();
    }

    @Test
    void what_a_block_makes_once_or_never_is_on_every_node() throws SQLException {
        for (int i = 0; i < 2; i++) {
            client.run(
                    "DO $$ BEGIN CREATE TYPE mood AS ENUM ('sad', 'glad'); EXCEPTION WHEN duplicate_object THEN NULL; END $$");
        }
        client.run("DO $$ BEGIN IF to_regclass('made') IS NULL THEN"
                + " CREATE TABLE made (id serial PRIMARY KEY, m mood DEFAULT 'sad'); END IF; END $$");
        group.origin().execute("INSERT INTO made (m) VALUES ('glad')");
        group.synchronize();
        assertEverywhere("SELECT id, m FROM made", "1|glad");
    }

    @Test
    void a_table_that_no_event_trigger_is_told_of_is_refused() throws SQLException {
        ServerError error = client.refused("DO $$ BEGIN EXECUTE 'EXPLAIN ANALYZE SELECT 1 AS one INTO made2'; END $$");
        assertThat(error.sqlState()).isEqualTo("0A000");
        assertThat(error.message()).contains("public.made2").contains("EXPLAIN ANALYZE");
        assertEverywhere("SELECT to_regclass('made2') IS NULL", "t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE ROLE ddlrep_test_unseen",
                "CREATE TABLE made (id integer); ALTER ROLE ddlrep_test_seen PASSWORD 'x'",
                "ALTER ROLE ddlrep_test_seen SET work_mem = '1MB'",
                "GRANT pg_monitor TO ddlrep_test_seen",
                "COMMENT ON ROLE ddlrep_test_seen IS 'x'",
                "DROP ROLE ddlrep_test_seen",
                "ALTER ROLE ddlrep_test_seen RENAME TO ddlrep_test_unseen"
            })
    void roles_that_code_changes_are_refused(String statement) throws SQLException {
        client.run("CREATE ROLE ddlrep_test_seen");
        ServerError error = client.refused("DO $$ BEGIN " + statement + "; END $$");
        assertThat(error.sqlState()).as(error.message()).isEqualTo("0A000");
        assertThat(error.message()).contains("roles");
        client.run("DROP ROLE ddlrep_test_seen");
        assertEverywhere("SELECT FROM pg_roles WHERE rolname LIKE 'ddlrep_test_%'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"REASSIGN OWNED BY ddlrep_test_seen TO CURRENT_USER", "DROP OWNED BY ddlrep_test_seen"})
    void what_code_changes_of_owners_unseen_is_refused(String statement) throws SQLException {
        client.run("CREATE ROLE ddlrep_test_seen; CREATE TYPE mood AS ENUM ('sad'); CREATE TABLE made (id integer);"
                + " GRANT SELECT ON made TO ddlrep_test_seen; ALTER TABLE t OWNER TO ddlrep_test_seen");
        ServerError error = client.refused("DO $$ BEGIN " + statement + "; END $$");
        assertThat(error.sqlState()).as(error.message()).isEqualTo("0A000");
        assertThat(error.message()).contains("OWNED");
        assertEverywhere("SELECT has_table_privilege('ddlrep_test_seen', 'made', 'SELECT')", "t");
        client.run("DROP OWNED BY ddlrep_test_seen; DROP ROLE ddlrep_test_seen");
    }

    @Test
    void roles_that_statements_before_the_code_have_made_are_not_the_codes() throws SQLException {
        client.run("BEGIN; CREATE ROLE ddlrep_test_seen; DO $$ BEGIN CREATE TABLE made (id integer);"
                + " GRANT SELECT ON made TO ddlrep_test_seen; EXECUTE format('ALTER DATABASE %I SET work_mem = %L',"
                + " current_database(), '5MB'); END $$; COMMIT");
        client.run("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET work_mem', current_database()); END $$");
        assertEverywhere("SELECT has_table_privilege('ddlrep_test_seen', 'made', 'SELECT')", "t");
        ServerError error = client.refused("BEGIN; ALTER ROLE ddlrep_test_seen NOINHERIT;"
                + " DO $$ BEGIN DROP TABLE made; CREATE ROLE ddlrep_test_unseen; END $$");
        assertThat(error.message()).contains("roles");
        client.run("ROLLBACK; DROP TABLE made; DROP ROLE ddlrep_test_seen");
        assertEverywhere("SELECT FROM pg_roles WHERE rolname LIKE 'ddlrep_test_%'");
    }

    @Test
    void text_that_is_put_together_runs_as_it_was_put_together() throws SQLException {
        client.run("DO $$ DECLARE n text; BEGIN FOREACH n IN ARRAY ARRAY['a', 'B c'] LOOP"
                + " EXECUTE format('ALTER TABLE t ADD COLUMN %I integer DEFAULT 7', n);"
                + " EXECUTE format('CREATE INDEX ON t (%I)', n); END LOOP; DROP INDEX t_a_idx;"
                + " ALTER TABLE t ADD COLUMN gone integer; ALTER TABLE t DROP COLUMN gone; DROP TABLE IF EXISTS nowhere;"
                + " ALTER TABLE t ADD COLUMN last integer; END $$");
        assertEverywhere("SELECT a, \"B c\" FROM t WHERE id = 1", "7|7");
        assertEverywhere("SELECT count(*) FROM pg_index WHERE indrelid = 't'::regclass", "2");
    }

    @Test
    void rows_that_the_block_writes_in_the_new_shape_arrive_in_it() throws SQLException {
        client.run("BEGIN; INSERT INTO t VALUES (50, 'own');"
                + " DO $$ BEGIN UPDATE t SET v = 'old' WHERE id = 1; ALTER TABLE t ADD COLUMN w integer;"
                + " UPDATE t SET w = id WHERE id < 3; CREATE TABLE made AS SELECT random() AS r, id FROM t;"
                + " INSERT INTO made VALUES (0, -1); END $$; UPDATE t SET w = 50 WHERE id = 50; COMMIT");
        assertEverywhere("SELECT id, v, w FROM t WHERE w IS NOT NULL ORDER BY id", "1|old|1", "2|v|2", "50|own|50");
        assertEverywhere("SELECT count(*) FROM made", "12");
    }

    @Test
    void the_path_of_each_command_counts_and_the_clients_own_is_kept() throws SQLException {
        client.run("DO $$ BEGIN SET LOCAL search_path = other; CREATE TABLE made2 (id integer PRIMARY KEY);"
                + " PERFORM set_config('search_path', 'public', true); CREATE TABLE made (id integer PRIMARY KEY); END $$;"
                + " BEGIN; DO $$ BEGIN SET LOCAL search_path = other; DROP TABLE made2; END $$;"
                + " CREATE TABLE made2 (id integer PRIMARY KEY); COMMIT");
        assertEverywhere(
                "SELECT relnamespace::regnamespace, relname FROM pg_class WHERE relname IN ('made', 'made2')"
                        + " ORDER BY 2",
                "public|made",
                "other|made2");
        group.run("DROP TABLE other.made2");
    }

    @Test
    void a_command_that_fails_on_one_replica_undoes_the_block_everywhere() throws SQLException {
        group.local(3, "CREATE TABLE made2 (id integer)");
        assertThat(client.refused("DO $$ BEGIN CREATE TABLE made (id integer); CREATE TABLE made2 (id integer); END $$")
                        .sqlState())
                .isEqualTo("42P07");
        group.local(3, "DROP TABLE made2");
        assertEverywhere("SELECT FROM pg_class WHERE relname IN ('made', 'made2')");
    }

    @Test
    void code_that_touches_nothing_replicated_is_left_alone() throws SQLException {
        client.run("DO $$ BEGIN CREATE TEMP TABLE scratch (id integer); DROP TABLE scratch; END $$;"
                + " DO $$ BEGIN CREATE TEMP TABLE scratch (id integer); COMMIT; DROP TABLE scratch; END $$");
        group.assertEqualNodes();
    }

    @Test
    void the_right_to_be_noted_cannot_be_kept_for_later() throws SQLException {
        group.run("CREATE FUNCTION sneaky() RETURNS integer LANGUAGE plpgsql AS $f$ BEGIN"
                + " PERFORM set_config('ddlrep.code', current_setting('test.kept'), true);"
                + " EXECUTE 'CREATE VIEW bad AS SELECT 1 AS one'; RETURN 1; END $f$");
        client.run("BEGIN; DO $$ BEGIN PERFORM set_config('test.kept', current_setting('ddlrep.code'), false);"
                + " CREATE TABLE made (id integer); END $$; CREATE TABLE made2 AS SELECT sneaky()");
        assertThat(client.refused("COMMIT").sqlState()).isEqualTo("0A000");
        assertEverywhere("SELECT FROM pg_class WHERE relname IN ('made', 'made2', 'bad')");
        group.run("DROP FUNCTION sneaky()");
    }

    @Test
    void functions_in_sql_are_replicated_by_what_stands_in_them() throws SQLException {
        group.run("CREATE SCHEMA IF NOT EXISTS apart");
        group.run(
                "CREATE FUNCTION apart.\"Quiet; one\"(n integer) RETURNS bigint LANGUAGE sql SET search_path = apart AS $f$"
                        + " UPDATE public.t SET v = v; -- one; two\n"
                        + " CREATE TABLE made (id integer PRIMARY KEY, x text DEFAULT 'a;b'); DROP TABLE IF EXISTS nothing;"
                        + " CREATE TABLE made2 AS SELECT n AS id, clock_timestamp() AS at; ALTER TABLE public.t ADD COLUMN w integer DEFAULT 3;"
                        + " SELECT count(*) FROM public.t $f$");
        group.run(
                "CREATE PROCEDURE drops() LANGUAGE sql AS 'DROP TABLE apart.made; ALTER TABLE apart.made2 ADD PRIMARY KEY (id)'");
        client.run("SELECT apart.\"Quiet; one\"(5)");
        assertEverywhere(
                "SELECT x.relnamespace::regnamespace, x.relname FROM pg_class x WHERE relname ~ '^made2?$' ORDER BY 2",
                "apart|made",
                "apart|made2");
        assertEverywhere("SELECT id FROM apart.made2", "5");
        assertThat(group.node(2).queryText("SELECT at::text FROM apart.made2"))
                .isEqualTo(group.origin().queryText("SELECT at::text FROM apart.made2"));
        client.run("DO $$ BEGIN CALL drops(); ALTER TABLE t DROP COLUMN w; END $$");
        client.run("INSERT INTO apart.made2 VALUES (6, now())");
        group.synchronize();
        assertEverywhere("SELECT id FROM apart.made2 ORDER BY 1", "5", "6");
        assertEverywhere("SELECT FROM pg_class WHERE relname = 'made'");
        group.assertEqualNodes();
        group.run("DROP SCHEMA apart CASCADE");
        group.run("DROP PROCEDURE drops()");
    }

    @Test
    void a_function_in_sql_whose_name_does_not_tell_which_it_is_is_refused() throws SQLException {
        group.run("CREATE FUNCTION quiet() RETURNS void LANGUAGE sql AS 'CREATE TABLE made (id integer)'");
        group.run("CREATE FUNCTION quiet(text) RETURNS void LANGUAGE sql AS 'CREATE TABLE made (name text)'");
        ServerError error = client.refused("DO $$ BEGIN PERFORM quiet(); ALTER TABLE t ADD COLUMN w integer; END $$");
        assertThat(error.sqlState()).isEqualTo("0A000");
        assertThat(error.message()).contains("statement 1 of a function in SQL, \"quiet\"");
        assertThat(client.refused("SELECT quiet()").sqlState()).isEqualTo("0A000");
        assertEverywhere("SELECT FROM pg_class WHERE relname = 'made'");
        group.run("DROP FUNCTION quiet(), quiet(text)");
    }

    @Test
    void functions_procedures_and_triggers_are_replicated_as_blocks_are() throws SQLException {
        group.run("CREATE FUNCTION makes(name text) RETURNS text LANGUAGE plpgsql AS $f$ BEGIN"
                + " EXECUTE format('CREATE TABLE %I (id integer PRIMARY KEY, at timestamptz DEFAULT clock_timestamp())', name);"
                + " EXECUTE format('INSERT INTO %I (id) VALUES (1)', name); RETURN name; END $f$");
        group.run("CREATE PROCEDURE widens() LANGUAGE plpgsql AS $f$ BEGIN ALTER TABLE t ADD COLUMN w integer;"
                + " UPDATE t SET w = id; END $f$");
        group.run(
                "CREATE FUNCTION partition() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN"
                        + " CREATE TABLE IF NOT EXISTS made2 (LIKE t INCLUDING ALL); INSERT INTO made2 VALUES (NEW.*); RETURN NEW; END $f$");
        client.run("SELECT makes('made')");
        client.run("CALL widens()");
        group.run("CREATE TRIGGER part AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION partition()");
        client.run("INSERT INTO t VALUES (11, 'new', 11)");
        client.run("INSERT INTO t VALUES (12, 'new', 12)");
        group.synchronize();
        assertEverywhere("SELECT id FROM made", "1");
        assertEverywhere("SELECT id, w FROM made2 ORDER BY 1", "11|11", "12|12");
        assertEverywhere("SELECT sum(w) FROM t", "78");
        assertThat(group.node(3).queryText("SELECT at::text FROM made"))
                .isEqualTo(group.origin().queryText("SELECT at::text FROM made"));
        group.run("DROP TABLE t");
        group.run("DROP FUNCTION makes(text), partition()");
        group.run("DROP PROCEDURE widens()");
    }

    @Test
    void a_function_that_fails_the_second_time_changes_nothing_anywhere() throws SQLException {
        group.run("CREATE SEQUENCE IF NOT EXISTS attempts");
        group.run("CREATE FUNCTION fickle() RETURNS integer LANGUAGE plpgsql AS $f$ BEGIN"
                + " IF nextval('attempts') % 2 = 0 THEN RAISE 'not again' USING ERRCODE = 'XX123'; END IF;"
                + " CREATE TABLE made (id integer); RETURN 1; END $f$");
        assertThat(client.refused("SELECT fickle()").sqlState()).isEqualTo("XX123");
        assertEverywhere("SELECT FROM pg_class WHERE relname = 'made'");
        assertThat(client.isOperationOpen()).isFalse();
        client.run("SELECT 1");
        group.run("DROP FUNCTION fickle()");
    }

    @Test
    void code_that_has_committed_and_code_in_a_block_is_told_what_to_do() throws SQLException {
        group.run("CREATE PROCEDURE commits() LANGUAGE plpgsql AS $f$ BEGIN INSERT INTO t VALUES (20, 'kept'); COMMIT;"
                + " CREATE TABLE made (id integer); END $f$");
        ServerError committed = client.refused("CALL commits()");
        assertThat(committed.sqlState()).isEqualTo("55D01");
        assertThat(committed.message()).contains("has committed before");
        group.run(
                "CREATE FUNCTION makes() RETURNS void LANGUAGE plpgsql AS $f$ BEGIN CREATE TABLE made (id integer); END $f$");
        ServerError inBlock = client.refused("BEGIN; INSERT INTO t VALUES (21, 'gone'); SELECT makes()");
        assertThat(inBlock.sqlState()).isEqualTo("55D02");
        assertThat(inBlock.hint()).contains("outside a transaction block");
        client.run("ROLLBACK");
        group.synchronize();
        assertEverywhere("SELECT id FROM t WHERE id >= 20", "20");
        group.run("DROP FUNCTION makes()");
        group.run("DROP PROCEDURE commits()");
        group.run(
                "CREATE PROCEDURE ends() LANGUAGE plpgsql AS $f$ BEGIN ALTER TABLE t ADD COLUMN x int; COMMIT; END $f$");
        ServerError ends = client.refused("CALL ends()");
        assertThat(ends.sqlState()).isEqualTo("2D000");
        assertThat(ends.message()).contains("cannot commit or roll back");
        group.run("DROP PROCEDURE ends()");
    }
}
