package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgGroup;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a statement names, and a replica lacks, is told before anything is locked. */
class NamedObjectsIT {
    private static final String ROLE = "ddlrep_test_here";

    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("names");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.run("CREATE SCHEMA ours; CREATE SCHEMA app");
        group.local(
                1,
                "DROP ROLE IF EXISTS " + ROLE,
                "CREATE ROLE " + ROLE,
                "DROP TABLESPACE IF EXISTS ddlrep_test_space",
                "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                "CREATE DOMAIN positive AS integer CHECK (VALUE > 0)",
                "CREATE SCHEMA alone",
                "CREATE TABLE alone.source (a integer PRIMARY KEY)",
                "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                "CREATE TYPE ours.kind AS ENUM ('a')",
                "CREATE EXTENSION hstore SCHEMA ours",
                "CREATE FOREIGN DATA WRAPPER w",
                "CREATE SERVER far FOREIGN DATA WRAPPER w");
        group.node(1).execute("SET allow_in_place_tablespaces = on", "CREATE TABLESPACE ddlrep_test_space LOCATION ''");
        for (int node = 2; node <= 3; node++) {
            group.local(node, "CREATE TYPE app.kind AS ENUM ('a')");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        group.local(1, "DROP OWNED BY " + ROLE, "DROP ROLE " + ROLE, "DROP TABLESPACE ddlrep_test_space");
        group.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ALTER TABLE t OWNER TO ddlrep_test_here | role ddlrep_test_here is not on node n2",
                "GRANT SELECT ON t TO PUBLIC, ddlrep_test_here | role ddlrep_test_here is not on node n3",
                "CREATE POLICY p ON t TO ddlrep_test_here USING (true) | role ddlrep_test_here is not on node n2",
                "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO ddlrep_test_here | role ddlrep_test_here is not on",
                "CREATE SCHEMA AUTHORIZATION ddlrep_test_here | role ddlrep_test_here is not on node n2",
                "CREATE ROLE ddlrep_test_new IN ROLE ddlrep_test_here | role ddlrep_test_here is not on node n2",
                "ALTER GROUP pg_monitor ADD USER ddlrep_test_here | role ddlrep_test_here is not on node n3",
                "DROP ROLE ddlrep_test_here | role ddlrep_test_here is not on node n2",
                "ALTER TABLE t ADD COLUMN m mood[] | type mood is not on node n2",
                "ALTER TABLE t ALTER COLUMN id TYPE positive | type positive is not on node n3",
                "ALTER TYPE mood ADD VALUE 'great' | type mood is not on node n2",
                "ALTER TABLE t ADD COLUMN k kind | type kind is ours.kind on node n1 and app.kind on node n2",
                "ALTER TABLE t ADD COLUMN h ours.hstore | type ours.hstore is not on node n2",
                "ALTER EXTENSION hstore UPDATE | extension hstore is not on node n2",
                "ALTER FUNCTION lower(text) DEPENDS ON EXTENSION hstore | extension hstore is not on node n3",
                "CREATE TABLE alone.u (a integer) | schema alone is not on node n2",
                "ALTER TABLE t SET SCHEMA alone | schema alone is not on node n3",
                "ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES alone.source | relation alone.source is not on node n2",
                "CREATE VIEW seen AS SELECT * FROM t NATURAL JOIN (SELECT a AS id FROM alone.source) x"
                        + " | relation alone.source is not on node n2",
                "CREATE TABLE like_it (LIKE alone.source) | relation alone.source is not on node n2",
                "CREATE TRIGGER n BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION noted()"
                        + " | function noted is not on node n3",
                "CREATE FOREIGN TABLE f (a integer) SERVER far | server far is not on node n2",
                "CREATE TABLE far (a integer PRIMARY KEY USING INDEX TABLESPACE ddlrep_test_space)"
                        + " | tablespace ddlrep_test_space is not on node n2",
                "ALTER TABLE t SET TABLESPACE ddlrep_test_space | tablespace ddlrep_test_space is not on node n2",
                "CREATE INDEX ON t (v) TABLESPACE ddlrep_test_space WHERE v > '' | ddlrep_test_space is not on node n2",
                "REINDEX (TABLESPACE ddlrep_test_space) TABLE t | tablespace ddlrep_test_space is not on node n2",
                "CREATE TABLE made TABLESPACE ddlrep_test_space AS SELECT 1 AS a | ddlrep_test_space is not on node n2",
                "CREATE MATERIALIZED VIEW m TABLESPACE ddlrep_test_space AS SELECT 1 | ddlrep_test_space is not on",
                "CREATE FUNCTION f(mood) RETURNS integer LANGUAGE sql AS 'SELECT 1' | type mood is not on node n2",
            })
    void it_is_refused_before_anything_is_locked(String sql, String line) throws Exception {
        Map<String, List<String>> before = group.state();
        try (TestClient reader = group.client();
                TestClient client = group.client()) {
            // A lock request that no reader lets through would wait here for the default lock_wait of two minutes.
            reader.run("BEGIN; SELECT count(*) FROM t; LOCK TABLE t IN ROW EXCLUSIVE MODE");
            ServerError error = client.refused("SET search_path = public, ours, app; " + sql);
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.message()).contains("nothing was changed");
            assertThat(error.detail()).contains(line);
            reader.run("ROLLBACK");
        }
        group.assertUnchanged(before);
    }

    @Test
    void a_later_statement_of_the_same_text_counts_unless_an_earlier_one_makes_the_name() throws Exception {
        Map<String, List<String>> before = group.state();
        try (TestClient client = group.client()) {
            ServerError error = TestClient.error(() -> client.script(
                    "ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1; GRANT SELECT ON t TO " + ROLE));
            assertThat(error.detail()).contains("role " + ROLE + " is not on node n2");
        }
        group.assertUnchanged(before);
        group.local(1, "CREATE TYPE passing AS ENUM ('a')");
        group.run("DROP TYPE IF EXISTS passing; CREATE TYPE passing AS ENUM ('b'); CREATE TABLE p (id integer"
                + " PRIMARY KEY, p passing); INSERT INTO p VALUES (1, 'b')");
        group.run("BEGIN; CREATE TYPE fresh AS ENUM ('c'); CREATE TABLE q (id integer PRIMARY KEY, f fresh); COMMIT");
        group.synchronize();
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryRows("SELECT p, (SELECT count(*) FROM q WHERE f = 'c') FROM p"))
                    .containsExactly("b|0");
        }
        group.run("DROP TABLE p, q; DROP TYPE passing, fresh");
    }

    @Test
    void what_the_origin_lacks_is_the_servers_to_say() throws Exception {
        try (TestClient client = group.client()) {
            assertThat(client.refused("ALTER TABLE t OWNER TO nobody_at_all").sqlState())
                    .isEqualTo("42704");
            assertThat(client.refused("ALTER TABLE t ADD COLUMN x nothing").sqlState())
                    .isEqualTo("42704");
        }
    }

    @Test
    void temporary_objects_are_named_as_the_reason() throws Exception {
        try (TestClient client = group.client()) {
            client.run("CREATE TEMP TABLE mine (a integer)");
            for (String sql : List.of(
                    "CREATE TABLE like_mine (LIKE mine)",
                    "CREATE FUNCTION of_mine(mine) RETURNS integer LANGUAGE sql AS 'SELECT 1'")) {
                ServerError error = client.refused(sql);
                assertThat(error.detail()).contains("mine is temporary: no other node has it");
            }
            client.run("CREATE FUNCTION pg_temp.f() RETURNS integer LANGUAGE sql AS 'SELECT 1'; COMMENT ON FUNCTION"
                    + " pg_temp.f() IS 'x'; DROP FUNCTION pg_temp.f(); CREATE TYPE pg_temp.e AS ENUM ('a');"
                    + " ALTER TYPE pg_temp.e ADD VALUE 'b'; DROP TYPE pg_temp.e");
            client.run("CREATE TABLE copied AS SELECT * FROM mine; DROP TABLE copied");
        }
    }

    @Test
    void an_extension_without_files_on_a_node_is_named() throws Exception {
        try (TestGroup majors = TestGroup.on(PgGroup.ofMajors("extension", 17, 14))) {
            majors.run("CREATE TABLE t (id integer PRIMARY KEY)");
            try (TestClient client = majors.client()) {
                ServerError error = client.refused("CREATE EXTENSION pg_walinspect");
                assertThat(error.sqlState()).isEqualTo("55000");
                assertThat(error.detail()).contains("available extension pg_walinspect is not on node n2");
                assertThat(error.hint()).contains("files");
            }
            assertThat(majors.origin().queryText("SELECT count(*) FROM pg_extension WHERE extname = 'pg_walinspect'"))
                    .isEqualTo("0");
        }
    }
}
