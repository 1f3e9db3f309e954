package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Settings, search_path and role may change between two statements of one operation: they mean the same on every node. */
class EnvironmentIT {
    private static TestGroup group;
    private TestClient client;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("environment");
        group.run("CREATE SCHEMA other");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws Exception {
        group.run("DROP TABLE IF EXISTS t");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, a timestamp, b timestamp, c timestamp)");
        group.origin()
                .execute("INSERT INTO t SELECT g, ts, ts, ts FROM generate_series(1, 3) g,"
                        + " LATERAL (SELECT timestamp '2026-01-01 12:00' + g * interval '1 hour' AS ts) x");
        client = group.client();
    }

    @Test
    void a_setting_that_changes_between_two_statements_counts_on_every_node() throws Exception {
        client.run(
                "SET TimeZone = 'Europe/Berlin'; BEGIN; ALTER TABLE t ADD COLUMN d integer; SET TimeZone = 'Asia/Tokyo';"
                        + " ALTER TABLE t ALTER COLUMN a TYPE timestamptz; SAVEPOINT s; SET TimeZone = 'America/New_York';"
                        + " ALTER TABLE t ALTER COLUMN b TYPE timestamptz; ROLLBACK TO s;"
                        + " ALTER TABLE t ALTER COLUMN b TYPE timestamptz; SET TimeZone = 'America/New_York';"
                        + " ALTER TABLE t ALTER COLUMN c TYPE timestamptz; COMMIT; RESET TimeZone");
        group.assertEqualNodes();
        assertThat(group.node(3)
                        .queryRows("SELECT (a AT TIME ZONE 'UTC')::time, (b AT TIME ZONE 'UTC')::time,"
                                + " (c AT TIME ZONE 'UTC')::time FROM t WHERE id = 1"))
                .containsExactly("04:00:00|04:00:00|18:00:00");
    }

    /** On this node alone; sessions that begin later have it. */
    private void alterDatabase(int node, String change) throws Exception {
        String database = group.node(node).queryText("SELECT quote_ident(current_database())");
        group.local(node, "ALTER DATABASE " + database + " " + change);
    }

    @Test
    void settings_of_the_origins_database_count_on_every_node() throws Exception {
        for (String setting : List.of(
                "bytea_output = escape",
                "array_nulls = off",
                "transform_null_equals = on",
                "xmlbinary = hex",
                "extra_float_digits = 0")) {
            alterDatabase(1, "SET " + setting);
        }
        try (TestClient fresh = group.client()) {
            fresh.run("CREATE TABLE v (id integer PRIMARY KEY, b bytea, f float8,"
                    + " a text[] DEFAULT '{NULL}', CHECK ((f = NULL) IS NOT NULL))");
            fresh.run("INSERT INTO v VALUES (1, 'abc', 0.1::float8 + 0.2::float8)");
            fresh.run("ALTER TABLE v ALTER COLUMN b TYPE text USING b::text, ALTER COLUMN f TYPE text USING f::text");
        } finally {
            alterDatabase(1, "RESET ALL");
        }
        group.assertEqualNodes();
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryRows("SELECT b, a = ARRAY['NULL'] FROM v"))
                    .containsExactly("abc|t");
        }
        group.run("DROP TABLE v");
    }

    /** Arrays and XML travel as they are, whatever the settings are by which their text is read in a session or a database. */
    @Test
    void rows_arrive_whatever_reads_their_text_otherwise() throws Exception {
        List<String> settings = List.of(
                "array_nulls = off",
                "xmloption = document",
                "bytea_output = escape",
                "extra_float_digits = -15",
                "intervalstyle = sql_standard",
                "datestyle = 'SQL, DMY'",
                "lc_monetary = 'C'");
        group.run("CREATE TYPE made AS (a text[], x xml, b bytea[])");
        group.run(
                "CREATE TABLE v (id integer PRIMARY KEY, a text[], m made, x xml, f float8[], i interval[], d date[])");
        for (int node = 1; node <= 3; node++) {
            for (String setting : settings) {
                alterDatabase(node, "SET " + setting);
            }
        }
        String values =
                "ARRAY['a', NULL], ROW(ARRAY['b', NULL], xmlparse(content 'x<y/>'), ARRAY['\\x01ff'::bytea, NULL])::made,"
                        + " xmlparse(content 'text<y/>'), ARRAY[0.1::float8 + 0.2::float8, NULL],"
                        + " ARRAY['1 day 02:03:04.000005'::interval, NULL], ARRAY['2026-02-03'::date, NULL]";
        try (TestClient fresh = group.client()) {
            fresh.run("INSERT INTO v VALUES (1, " + values + ")");
            fresh.run("BEGIN; INSERT INTO v VALUES (2, " + values
                    + "); ALTER TABLE v ADD COLUMN n text[] DEFAULT ARRAY[NULL, 'c']; INSERT INTO v VALUES (3, "
                    + values + ", NULL); COMMIT");
            fresh.run("ALTER TABLE v ADD COLUMN o text[] DEFAULT ARRAY[NULL, clock_timestamp()::text]");
            // The replicas get it as a constant.
            fresh.run(
                    "SET datestyle = ISO; SET intervalstyle = postgres; SET extra_float_digits = 1; ALTER TABLE v ADD COLUMN p text[] DEFAULT ARRAY[NULL, now()::text]");
            group.synchronize();
        } finally {
            for (int node = 1; node <= 3; node++) {
                alterDatabase(node, "RESET ALL");
            }
        }
        String rows =
                "SELECT id, a[2] IS NULL, (m).a[2] IS NULL, (m).b::text, x::text, f[1] - 0.3 <> 0, i[2] IS NULL, d::text, n[1] IS NULL,"
                        + " o[1] IS NULL, p[1] IS NULL FROM v ORDER BY 1";
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryRows(rows))
                    .as("n%s", node)
                    .hasSize(3)
                    .allMatch(row -> row.contains("|t|t|"))
                    .isEqualTo(group.origin().queryRows(rows));
        }
        group.assertEqualNodes();
        group.run("DROP TABLE v; DROP TYPE made");
    }

    @Test
    void a_path_and_a_setting_that_go_back_are_gone_on_every_node() throws Exception {
        client.run("BEGIN; SET LOCAL check_function_bodies = off; SET LOCAL search_path = other;"
                + " CREATE FUNCTION there() RETURNS int LANGUAGE sql AS 'SELECT * FROM nowhere';"
                + " SET LOCAL search_path = public; RESET check_function_bodies;"
                + " CREATE FUNCTION here() RETURNS int LANGUAGE sql AS 'SELECT 1'; COMMIT");
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node)
                            .queryRows("SELECT oid::regprocedure::text FROM pg_proc WHERE proname IN ('here', 'there')"
                                    + " ORDER BY 1"))
                    .containsExactly("here()", "other.there()");
        }
        group.run("DROP FUNCTION here()");
        group.run("DROP FUNCTION other.there()");
    }

    @Test
    void what_a_superuser_makes_as_somebody_else_is_somebody_elses_on_every_node() throws Exception {
        group.run("CREATE ROLE borrowed");
        group.run("GRANT CREATE ON SCHEMA public TO borrowed");
        client.run("SET SESSION AUTHORIZATION borrowed; CREATE TABLE of_borrowed (id integer PRIMARY KEY);"
                + " RESET SESSION AUTHORIZATION; CREATE TABLE of_login (id integer PRIMARY KEY);"
                + " SET SESSION AUTHORIZATION borrowed; BEGIN; CREATE VIEW also AS SELECT 1 AS one; COMMIT;"
                + " RESET SESSION AUTHORIZATION");
        group.assertEqualNodes();
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node)
                            .queryRows("SELECT relname, relowner = 'borrowed'::regrole FROM pg_class"
                                    + " WHERE relname IN ('of_borrowed', 'of_login', 'also') ORDER BY 1"))
                    .containsExactly("also|t", "of_borrowed|t", "of_login|f");
        }
        // Its last rows are kept for a while, but nothing of the role's may hang on them.
        client.run("INSERT INTO of_borrowed VALUES (1); DROP VIEW also; DROP TABLE of_borrowed;"
                + " REVOKE CREATE ON SCHEMA public FROM borrowed; DROP ROLE borrowed; DROP TABLE of_login");
        group.assertEqualNodes();
    }
}
