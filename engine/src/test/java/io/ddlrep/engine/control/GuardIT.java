package io.ddlrep.engine.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.testkit.PgGroup;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard on an origin, n1, and a replica, n2, with scope tables. */
@TestInstance(Lifecycle.PER_CLASS)
class GuardIT {
    private static final String SCHEMA = SqlResource.text("fingerprint/rich_schema.sql");

    private InstalledGroup nodes = InstalledGroup.on(PgGroup.create("guard", 2));

    @BeforeAll
    void publish() throws Exception {
        nodes.group()
                .executeOnAll(
                        SCHEMA,
                        "CREATE TABLE loner (id int PRIMARY KEY, note text)",
                        "CREATE FUNCTION ddlrep_shadow.capture() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                        "CREATE TRIGGER \"!capture\" AFTER INSERT ON app.rich EXECUTE FUNCTION ddlrep_shadow.capture()");
        nodes.publish("tables", "{}", "app.rich", "app.parent", "app.measure", "app.measure_1", "app.reading");
        nodes.group()
                .node(1)
                .execute(
                        "CREATE ROLE guard_owner LOGIN PASSWORD 'x'",
                        "CREATE ROLE guard_reader",
                        "CREATE ROLE guard_local LOGIN PASSWORD 'x' IN ROLE ddlrep_local");
        nodes.group()
                .node(1)
                .execute(
                        "CREATE TABLE owned (id int); ALTER TABLE owned OWNER TO guard_owner; GRANT SELECT ON owned TO guard_reader;"
                                + "CREATE TABLE owned_local (id int); ALTER TABLE owned_local OWNER TO guard_local;"
                                + "INSERT INTO ddlrep.replicated_table SELECT 100 + row_number() OVER (), 'default', oid, 'public', relname, 1, '{}',"
                                + " 'none', '' FROM pg_class WHERE relname IN ('owned', 'owned_local')");
    }

    @AfterAll
    void drop() throws Exception {
        nodes.group()
                .node(1)
                .execute(
                        "SET ddlrep.replicate = off",
                        "DROP OWNED BY guard_owner, guard_local, guard_reader CASCADE",
                        "DROP ROLE guard_owner, guard_local, guard_reader");
        nodes.close();
    }

    static Stream<String> replicated() {
        return Stream.of(
                "ALTER TABLE app.rich ADD x int",
                "ALTER TABLE app.rich RENAME COLUMN note TO x",
                "ALTER TABLE app.rich RENAME TO x",
                "ALTER TABLE app.rich SET SCHEMA public",
                "ALTER TABLE app.rich DROP COLUMN note",
                "ALTER TABLE app.rich OWNER TO pg_monitor",
                "ALTER TABLE app.rich DISABLE TRIGGER \"!capture\"",
                "ALTER TABLE app.rich RENAME CONSTRAINT note_short TO x",
                "CREATE INDEX ON app.rich (note)",
                "CREATE INDEX CONCURRENTLY x ON app.rich (note)",
                "CREATE INDEX CONCURRENTLY IF NOT EXISTS x ON ONLY \"app\" . \"rich\" (note)",
                "SET search_path = app; CREATE INDEX CONCURRENTLY ON rich (note)",
                "DROP INDEX app.rich_lower",
                "DROP INDEX CONCURRENTLY IF EXISTS app.rich_lower",
                "ALTER TABLE app.measure DETACH PARTITION app.measure_1 CONCURRENTLY",
                "ALTER INDEX app.rich_lower RENAME TO x",
                "ALTER INDEX app.rich_lower SET (fillfactor = 50)",
                "COMMENT ON TABLE app.rich IS 'x'",
                "COMMENT ON COLUMN app.rich.note IS 'x'",
                "COMMENT ON CONSTRAINT note_short ON app.rich IS 'x'",
                "COMMENT ON TRIGGER stamp ON app.rich IS 'x'",
                "COMMENT ON INDEX app.rich_lower IS 'x'",
                "COMMENT ON POLICY writes ON app.rich IS 'x'",
                "COMMENT ON RULE quiet ON app.rich IS 'x'",
                "GRANT SELECT ON app.rich TO pg_signal_backend",
                "GRANT SELECT (note) ON app.rich TO pg_signal_backend",
                "GRANT DELETE ON ALL TABLES IN SCHEMA app TO pg_signal_backend",
                "REVOKE SELECT ON app.rich FROM PUBLIC",
                "CREATE TRIGGER x BEFORE INSERT ON app.rich FOR EACH ROW EXECUTE FUNCTION app.stamp()",
                "ALTER TRIGGER stamp ON app.rich RENAME TO x",
                "DROP TRIGGER stamp ON app.rich",
                "DROP TRIGGER \"!capture\" ON app.rich",
                "CREATE POLICY x ON app.rich",
                "ALTER POLICY writes ON app.rich USING (true)",
                "DROP POLICY writes ON app.rich",
                "CREATE RULE x AS ON UPDATE TO app.rich DO ALSO NOTHING",
                "DROP RULE quiet ON app.rich",
                "CREATE STATISTICS app.x ON id, price FROM app.rich",
                "DROP STATISTICS app.rich_stats",
                "ALTER STATISTICS app.rich_stats SET STATISTICS 5",
                "ALTER SEQUENCE app.rich_id_seq INCREMENT 2",
                "DROP SEQUENCE app.rich_id_seq CASCADE",
                "DROP SEQUENCE app.free_numbers CASCADE",
                "DROP TABLE app.reading",
                "DROP TABLE app.parent CASCADE",
                "DROP TYPE app.mood CASCADE",
                "DROP FUNCTION app.plus_one CASCADE",
                "DROP FUNCTION app.visible CASCADE",
                "DROP SCHEMA app CASCADE",
                "DROP OWNED BY guard_owner",
                "DROP OWNED BY guard_reader",
                "ALTER SCHEMA app RENAME TO app2",
                "CREATE TABLE app.m2 PARTITION OF app.measure FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')",
                "CREATE TABLE x () INHERITS (app.rich)",
                "ALTER TABLE app.measure DETACH PARTITION app.measure_1",
                "DO $$BEGIN EXECUTE 'ALTER TABLE app.rich ADD x int'; END$$",
                "BEGIN; SAVEPOINT s; ALTER TABLE app.rich ADD x int",
                "SET ddlrep.marker = 'op1|0000'; ALTER TABLE app.rich ADD x int",
                "SET session_replication_role = replica; ALTER TABLE app.rich ADD x int");
    }

    @ParameterizedTest
    @MethodSource("replicated")
    void ddl_on_something_replicated_is_refused(String sql) {
        try (NodeSession session = nodes.session(1)) {
            assertThatThrownBy(() -> session.execute(sql))
                    .isInstanceOfSatisfying(
                            NodeException.class,
                            e -> assertThat(e.sqlState()).as(e.getMessage()).isEqualTo(refusal(sql)));
        }
    }

    /** What code has run is told apart: it may be run once more, as an operation. */
    private static String refusal(String sql) {
        return sql.startsWith("DO ") ? "55D02" : "55D01";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TEMP TABLE x (id serial PRIMARY KEY); CREATE INDEX ON x (id); ALTER TABLE x ADD y int; DROP TABLE x",
                "CREATE TABLE x (id serial PRIMARY KEY); GRANT SELECT ON x TO pg_signal_backend; COMMENT ON TABLE x IS 'x'; CREATE INDEX xi ON x (id);"
                        + " DROP INDEX xi; DROP TABLE x",
                "CREATE VIEW x AS SELECT * FROM app.rich; COMMENT ON VIEW x IS 'x'; DROP VIEW x",
                "CREATE TABLE x (r bigint REFERENCES app.parent); DROP TABLE x",
                "BEGIN; TRUNCATE app.reading; GRANT SELECT ON loner TO pg_signal_backend; ROLLBACK",
                "DROP TABLE IF EXISTS nothing; DROP INDEX IF EXISTS nothing; CREATE TABLE IF NOT EXISTS app.rich (x int)",
                "CREATE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 1'; DROP FUNCTION app.f()",
                "CREATE TRIGGER \"!own\" AFTER INSERT ON app.rich EXECUTE FUNCTION ddlrep_shadow.capture(); ALTER TABLE ddlrep.node ADD x int;"
                        + " ALTER TABLE ddlrep.node DROP x",
                "REFRESH MATERIALIZED VIEW app.totals; ANALYZE app.rich; REINDEX TABLE loner"
            })
    void ddl_on_anything_else_passes(String sql) {
        try (NodeSession session = nodes.session(1)) {
            assertThatCode(() -> session.execute(sql)).doesNotThrowAnyException();
        }
        assertThatCode(() -> nodes.group()
                        .node(1)
                        .execute("DROP EVENT TRIGGER ddlrep_guard_drop", "DROP TRIGGER IF EXISTS \"!own\" ON app.rich"))
                .doesNotThrowAnyException();
        try (NodeSession session = nodes.session(1)) {
            new ControlInstaller().upgrade(session);
        }
    }

    @Test
    void the_error_says_where_to_send_it() {
        int port = nodes.group().node(1).port();
        String database = nodes.group().node(1).database();
        String url = "jdbc:ddlrep://" + nodes.group().node(1).host() + ":" + port + "/" + database;
        for (int node = 1; node <= 2; node++) {
            boolean origin = node == 1;
            try (NodeSession session = nodes.session(node)) {
                assertThatThrownBy(() -> session.execute("ALTER TABLE app.rich ADD x int"))
                        .isInstanceOfSatisfying(NodeException.class, e -> {
                            assertThat(e.error().message())
                                    .isEqualTo(
                                            "ddlrep: ALTER TABLE on replicated table app.rich did not come through ddlrep");
                            assertThat(e.error().detail())
                                    .contains(
                                            origin
                                                    ? "this is its origin, n1"
                                                    : "this is the replica n2; changes come from the origin, n1");
                            assertThat(e.error().hint()).contains(url);
                        });
            }
        }
    }

    @Test
    void an_operation_passes_on_the_origin_and_as_a_companion() {
        for (int node = 1; node <= 2; node++) {
            try (NodeSession session = nodes.session(node)) {
                String backend =
                        session.query("SELECT ddlrep.backend() AS b").get(0).text("b");
                String ticket = nodes.installation().key().tickets().issue("enter", "op" + node, 1, backend, "true");
                session.execute("BEGIN");
                session.query("SELECT ddlrep.enter($1, 1, true, $2)", "op" + node, ticket);
                session.execute(
                        "ALTER TABLE app.rich ADD x int; SAVEPOINT a; ALTER TABLE app.rich DROP x; ROLLBACK TO a;"
                                + "GRANT SELECT ON app.rich TO pg_monitor; DROP INDEX app.rich_lower");
                session.execute("ROLLBACK");
                assertThatThrownBy(() -> session.execute("DROP INDEX app.rich_lower"))
                        .hasMessageContaining("55D01");
            }
        }
    }

    @Test
    void ddlrep_replicate_off_is_for_members_of_ddlrep_local_and_is_recorded() throws Exception {
        try (NodeSession session = InstalledGroup.open(nodes.group().node(1), "guard_owner", "x")) {
            assertThatThrownBy(() -> session.execute("SET ddlrep.replicate = off; ALTER TABLE owned ADD x int"))
                    .hasMessageContaining("55D01");
        }
        try (NodeSession session = InstalledGroup.open(nodes.group().node(1), "guard_local", "x")) {
            assertThatThrownBy(() -> session.execute("ALTER TABLE owned_local ADD x int"))
                    .hasMessageContaining("55D01");
            session.execute("SET ddlrep.replicate = off");
            session.execute("ALTER TABLE owned_local ADD x int");
        }
        assertThat(nodes.group()
                        .node(1)
                        .queryRows("SELECT actor, tag, object FROM ddlrep.drift_event WHERE actor = 'guard_local'"))
                .containsExactly("guard_local|ALTER TABLE|table public.owned_local");
    }

    @Test
    void temporary_objects_are_left_alone_in_scope_database_too() {
        try (InstalledGroup other = InstalledGroup.on(PgGroup.create("guard_temp", 1));
                NodeSession session = other.session(1)) {
            other.publish("database", "{}");
            session.execute("""
                    CREATE TEMP TABLE x (id serial PRIMARY KEY, t text, e text CHECK (e > 'a')); CREATE INDEX ON x (t); ALTER TABLE x ADD y int;
                    COMMENT ON TABLE x IS 'x'; COMMENT ON COLUMN x.t IS 'x'; CREATE VIEW pg_temp.v AS SELECT * FROM x; GRANT SELECT ON x TO PUBLIC;
                    CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TEMP SEQUENCE s;
                    CREATE TRIGGER t BEFORE INSERT ON x FOR EACH ROW EXECUTE FUNCTION pg_temp.f(); CREATE TYPE pg_temp.tt AS (a int);
                    CREATE RULE r AS ON DELETE TO x DO INSTEAD NOTHING; ALTER TABLE x RENAME COLUMN y TO z; ALTER INDEX x_pkey RENAME TO q;
                    CREATE POLICY p ON x; DROP POLICY p ON x; DROP TRIGGER t ON x; DROP RULE r ON x; ALTER TABLE x DROP CONSTRAINT q;
                    ALTER TABLE x ALTER id DROP DEFAULT; CREATE STATISTICS pg_temp.st ON t, e FROM x; DROP STATISTICS pg_temp.st;
                    DROP TABLE x CASCADE; DROP TYPE pg_temp.tt; DROP FUNCTION pg_temp.f(); DROP SEQUENCE s; SELECT 1 AS one INTO TEMP z""");
            assertThatThrownBy(() -> session.execute("CREATE TABLE y (id int)")).hasMessageContaining("55D01");
        }
    }

    @Test
    void the_guard_never_stands_in_the_way_of_its_own_removal_and_is_off_in_a_copy() throws Exception {
        try (InstalledGroup other = InstalledGroup.on(PgGroup.create("guard_gone", 1))) {
            other.group().executeOnAll("CREATE TABLE t (id int)");
            other.publish("database", "{}", "t");
            try (NodeSession session = other.session(1)) {
                assertThatThrownBy(() -> session.execute("CREATE TABLE anything (id int)"))
                        .hasMessageContaining("55D01");
                session.execute(
                        "BEGIN; ALTER EVENT TRIGGER ddlrep_guard_end DISABLE; CREATE TABLE anything (id int); ROLLBACK");
                session.execute(
                        "BEGIN; UPDATE ddlrep.self SET database_oid = 1; CREATE TABLE anything (id int); ROLLBACK");
                new ControlInstaller().upgrade(session);
                session.execute("BEGIN; DROP SCHEMA ddlrep CASCADE; CREATE TABLE anything (id int); ROLLBACK");
                new ControlInstaller().uninstall(session);
                session.execute("CREATE TABLE anything (id int)");
            }
        }
    }

    @Test
    void nothing_moves_into_or_out_of_a_replicated_schema_unseen() throws Exception {
        try (InstalledGroup other = InstalledGroup.on(PgGroup.create("guard_moves", 1));
                NodeSession session = other.session(1)) {
            session.execute(SCHEMA);
            session.execute(
                    "CREATE SCHEMA aside; CREATE TABLE aside.t (id int); CREATE VIEW aside.v AS SELECT 1 AS one;"
                            + " CREATE FUNCTION aside.f() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE SEQUENCE aside.s;"
                            + " CREATE TYPE aside.e AS ENUM ('a'); CREATE EXTENSION citext SCHEMA aside;"
                            + " CREATE COLLATION app.c (LOCALE = 'C'); CREATE TEXT SEARCH CONFIGURATION app.ts (COPY = simple)");
            other.publish("schemas", "{app}");
            for (String move : new String[] {
                "ALTER VIEW app.names SET SCHEMA aside",
                "ALTER MATERIALIZED VIEW app.totals SET SCHEMA aside",
                "ALTER FUNCTION app.plus_one SET SCHEMA aside",
                "ALTER ROUTINE app.plus_one SET SCHEMA aside",
                "ALTER TYPE app.mood SET SCHEMA aside",
                "ALTER DOMAIN app.positive SET SCHEMA aside",
                "ALTER SEQUENCE app.free_numbers SET SCHEMA aside",
                "ALTER STATISTICS app.rich_stats SET SCHEMA aside",
                "ALTER COLLATION app.c SET SCHEMA aside",
                "ALTER TEXT SEARCH CONFIGURATION app.ts SET SCHEMA aside",
                "ALTER TABLE app.rich SET SCHEMA aside",
                "DO $d$ BEGIN EXECUTE 'ALTER VIEW app.names SET ' || 'SCHEMA aside'; END $d$",
                "ALTER TABLE aside.t SET SCHEMA app",
                "ALTER VIEW aside.v SET SCHEMA app",
                "ALTER FUNCTION aside.f SET SCHEMA app",
                "ALTER SEQUENCE aside.s SET SCHEMA app",
                "ALTER TYPE aside.e SET SCHEMA app",
                "ALTER EXTENSION citext SET SCHEMA app"
            }) {
                assertThatThrownBy(() -> session.execute(move)).as(move).hasMessageContaining(refusal(move));
            }
            session.execute("ALTER VIEW aside.v SET SCHEMA public; ALTER FUNCTION aside.f SET SCHEMA public;"
                    + " ALTER TYPE aside.e ADD VALUE 'b'; ALTER TABLE aside.t ADD i serial;"
                    + " ALTER EXTENSION citext SET SCHEMA public; SET ddlrep.replicate = off;"
                    + " ALTER VIEW app.names SET SCHEMA aside");
            assertThat(session.query("SELECT d.object FROM ddlrep.drift_event d")
                            .get(0)
                            .get(0))
                    .isEqualTo("view aside.names, in or out of a schema");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE app.x (id int)",
                "CREATE TABLE app.x AS SELECT 1",
                "SELECT 1 AS one INTO app.x",
                "CREATE VIEW app.x AS SELECT 1",
                "DROP VIEW app.names",
                "CREATE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "DROP FUNCTION app.stamp CASCADE",
                "ALTER TYPE app.mood ADD VALUE 'x'",
                "ALTER DOMAIN app.positive SET DEFAULT 2",
                "DROP SEQUENCE app.free_numbers CASCADE",
                "CREATE SEQUENCE app.x",
                "GRANT EXECUTE ON FUNCTION app.stamp TO pg_signal_backend",
                "GRANT USAGE ON SCHEMA app TO pg_signal_backend",
                "ALTER SCHEMA app RENAME TO x",
                "ALTER SCHEMA app OWNER TO pg_monitor",
                "COMMENT ON SCHEMA app IS 'x'",
                "DROP SCHEMA app CASCADE",
                "CREATE INDEX ON app.totals (total)"
            })
    void scope_schemas_holds_everything_in_its_schemas(String sql) {
        try (InstalledGroup other = InstalledGroup.on(PgGroup.create("guard_schemas", 1))) {
            try (NodeSession session = other.session(1)) {
                session.execute(SCHEMA);
                other.publish("schemas", "{app}");
                assertThatThrownBy(() -> session.execute(sql)).hasMessageContaining("55D01");
                session.execute(
                        "CREATE TABLE public.x (id int); CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'");
            }
        }
    }
}
