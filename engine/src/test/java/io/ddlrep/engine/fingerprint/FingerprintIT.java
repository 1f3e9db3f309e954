package io.ddlrep.engine.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.control.InstalledGroup;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.server.PgBinaries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fact of the catalogs changes a fingerprint; what is no fact changes none. */
@TestInstance(Lifecycle.PER_CLASS)
class FingerprintIT {
    private static final String SCHEMA = SqlResource.text("fingerprint/rich_schema.sql");
    private static final List<String> ALL = List.of(
            "app.rich",
            "app.parent",
            "app.measure",
            "app.measure_1",
            "app.measure_rest",
            "app.measure_rest_a",
            "app.reading",
            "app.animal",
            "app.dog",
            "app.cheap",
            "app.names",
            "app.totals");

    private final InstalledGroup nodes = InstalledGroup.on(PgGroup.create("fingerprint", 2));
    private final Map<String, Fingerprint> unchanged = new HashMap<>();

    @BeforeAll
    void create() throws Exception {
        nodes.group().executeOnAll(SCHEMA);
        nodes.group().executeOnAll("CREATE ROLE fingerprint_role");
        try (NodeSession one = nodes.session(1);
                NodeSession two = nodes.session(2)) {
            Fingerprints.read(two, ALL).forEach(each -> unchanged.put(each.relation(), each));
            unchanged.put("app", Fingerprints.readSchema(two, "app"));
            assertThat(Fingerprints.read(one, ALL))
                    .allSatisfy(each -> assertThat(each).isEqualTo(unchanged.get(each.relation())));
            assertThat(Fingerprints.readSchema(one, "app")).isEqualTo(unchanged.get("app"));
        }
    }

    @AfterAll
    void drop() throws Exception {
        nodes.close();
        for (int node = 1; node <= 2; node++) {
            nodes.group().node(node).withDatabase("postgres").execute("DROP ROLE fingerprint_role");
        }
    }

    static Stream<String> mutations() {
        Stream<String> everywhere = Stream.of(
                // pg_class
                "app.rich: ALTER TABLE app.rich OWNER TO fingerprint_role",
                "app.rich: ALTER TABLE app.rich SET (fillfactor = 71)",
                "app.rich: ALTER TABLE app.rich RESET (fillfactor)",
                "app.rich: ALTER TABLE app.rich SET (toast.autovacuum_enabled = on)",
                "app.rich: ALTER TABLE app.rich DISABLE ROW LEVEL SECURITY",
                "app.rich: ALTER TABLE app.rich FORCE ROW LEVEL SECURITY",
                "app.rich: ALTER TABLE app.rich REPLICA IDENTITY FULL",
                "app.rich: ALTER TABLE app.rich REPLICA IDENTITY NOTHING",
                "app.rich: ALTER TABLE app.rich REPLICA IDENTITY USING INDEX rich_pkey",
                "app.reading: ALTER TABLE app.reading SET UNLOGGED",
                "app.rich: GRANT DELETE ON app.rich TO fingerprint_role",
                "app.rich: REVOKE SELECT ON app.rich FROM PUBLIC",
                "app.rich: REVOKE GRANT OPTION FOR UPDATE ON app.rich FROM pg_monitor",
                "app.rich: REVOKE DELETE ON app.rich FROM CURRENT_USER",
                "app.rich: COMMENT ON TABLE app.rich IS 'other'",
                "app.dog: ALTER TABLE app.dog NO INHERIT app.animal",
                "app.animal: ALTER TABLE app.dog NO INHERIT app.animal",
                "app.animal: CREATE TABLE app.cat () INHERITS (app.animal)",
                "app.measure_1: ALTER TABLE app.measure DETACH PARTITION app.measure_1",
                "app.measure: ALTER TABLE app.measure DETACH PARTITION app.measure_1",
                "app.measure_rest_a: ALTER TABLE app.measure_rest DETACH PARTITION app.measure_rest_a;"
                        + " ALTER TABLE app.measure_rest ATTACH PARTITION app.measure_rest_a FOR VALUES IN ('a')",
                // pg_attribute
                "app.rich: ALTER TABLE app.rich ADD x int",
                "app.rich: ALTER TABLE app.rich DROP COLUMN note",
                "app.rich: ALTER TABLE app.rich RENAME COLUMN note TO remark",
                "app.reading: ALTER TABLE app.reading ALTER COLUMN at TYPE timestamptz(3)",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN feelings TYPE text[]",
                "app.dog: ALTER TABLE app.dog ALTER COLUMN breed TYPE text COLLATE \"C\"",
                "app.parent: ALTER TABLE app.parent ALTER COLUMN code DROP NOT NULL",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN note SET NOT NULL",
                "app.parent: ALTER TABLE app.parent ALTER COLUMN code SET DEFAULT 'y'",
                "app.parent: ALTER TABLE app.parent ALTER COLUMN code DROP DEFAULT",
                "app.parent: ALTER TABLE app.parent ALTER COLUMN id SET GENERATED BY DEFAULT",
                "app.parent: ALTER TABLE app.parent ALTER COLUMN id DROP IDENTITY",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN doubled DROP EXPRESSION",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN note SET STORAGE MAIN",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN note SET COMPRESSION pglz",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN name SET STATISTICS 501",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN name SET STATISTICS -1",
                "app.rich: ALTER TABLE app.rich ALTER COLUMN price RESET (n_distinct)",
                "app.rich: GRANT UPDATE (note) ON app.rich TO fingerprint_role",
                "app.rich: REVOKE INSERT (name) ON app.rich FROM PUBLIC",
                "app.rich: COMMENT ON COLUMN app.rich.price IS NULL",
                "app.rich: COMMENT ON COLUMN app.rich.note IS 'new'",
                // pg_constraint
                "app.rich: ALTER TABLE app.rich ADD CHECK (id > 0)",
                "app.rich: ALTER TABLE app.rich DROP CONSTRAINT rich_price_check",
                "app.rich: ALTER TABLE app.rich RENAME CONSTRAINT rich_price_check TO x",
                "app.rich: ALTER TABLE app.rich VALIDATE CONSTRAINT note_short",
                "app.rich: ALTER TABLE app.rich DROP CONSTRAINT rich_price_check, ADD CONSTRAINT rich_price_check CHECK (price >= 1)",
                "app.rich: ALTER TABLE app.rich DROP CONSTRAINT rich_price_check, ADD CONSTRAINT rich_price_check CHECK (price >= 0) NO INHERIT",
                "app.rich: ALTER TABLE app.rich ALTER CONSTRAINT rich_parent_fkey DEFERRABLE",
                "app.rich: ALTER TABLE app.rich ALTER CONSTRAINT rich_parent_fkey DEFERRABLE INITIALLY DEFERRED",
                "app.rich: ALTER TABLE app.rich DROP CONSTRAINT rich_parent_fkey, ADD CONSTRAINT rich_parent_fkey FOREIGN KEY (parent) REFERENCES app.parent",
                "app.rich: ALTER TABLE app.rich DROP CONSTRAINT rich_during_excl",
                "app.rich: COMMENT ON CONSTRAINT note_short ON app.rich IS 'other'",
                "app.parent: ALTER TABLE app.parent DROP CONSTRAINT code_unique",
                "app.reading: ALTER TABLE app.reading DROP CONSTRAINT reading_at_place_fkey",
                // pg_index
                "app.rich: CREATE INDEX ON app.rich (note)",
                "app.rich: DROP INDEX app.rich_lower",
                "app.rich: ALTER INDEX app.rich_lower RENAME TO x",
                "app.rich: ALTER INDEX app.rich_lower SET (fillfactor = 60)",
                "app.rich: ALTER INDEX app.rich_expression ALTER COLUMN 1 SET STATISTICS 78",
                "app.rich: CLUSTER app.rich USING rich_pkey",
                "app.rich: UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'app.rich_lower'::regclass",
                "app.rich: UPDATE pg_index SET indisready = false WHERE indexrelid = 'app.rich_lower'::regclass",
                "app.rich: COMMENT ON INDEX app.rich_lower IS 'other'",
                "app.measure_1: DROP INDEX app.measure_value_idx",
                "app.totals: DROP INDEX app.totals_place_idx",
                // pg_statistic_ext
                "app.rich: DROP STATISTICS app.rich_stats",
                "app.rich: DROP STATISTICS app.rich_stats; CREATE STATISTICS app.rich_stats (ndistinct) ON name, price FROM app.rich",
                "app.rich: ALTER STATISTICS app.rich_stats SET STATISTICS 9",
                "app.rich: ALTER STATISTICS app.rich_stats OWNER TO fingerprint_role",
                "app.rich: COMMENT ON STATISTICS app.rich_stats IS 'x'",
                // pg_trigger
                "app.rich: DROP TRIGGER stamp ON app.rich",
                "app.rich: ALTER TRIGGER stamp ON app.rich RENAME TO x",
                "app.rich: ALTER TABLE app.rich DISABLE TRIGGER stamp",
                "app.rich: ALTER TABLE app.rich ENABLE ALWAYS TRIGGER stamp",
                "app.rich: ALTER TABLE app.rich ENABLE REPLICA TRIGGER stamp",
                "app.rich: ALTER TABLE app.rich DISABLE TRIGGER ALL",
                "app.reading: ALTER TABLE app.reading DISABLE TRIGGER ALL",
                "app.rich: COMMENT ON TRIGGER stamp ON app.rich IS NULL",
                "app.rich: CREATE OR REPLACE FUNCTION app.stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "app.rich: ALTER FUNCTION app.stamp() SECURITY DEFINER",
                "app.rich: ALTER FUNCTION app.stamp() OWNER TO fingerprint_role",
                "app.rich: CREATE OR REPLACE FUNCTION app.plus_one(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 2'",
                // pg_policy, pg_rewrite
                "app.rich: DROP POLICY writes ON app.rich",
                "app.rich: ALTER POLICY writes ON app.rich USING (price < 101)",
                "app.rich: ALTER POLICY writes ON app.rich WITH CHECK (price < 101)",
                "app.rich: ALTER POLICY writes ON app.rich TO fingerprint_role",
                "app.rich: DROP POLICY writes ON app.rich; CREATE POLICY writes ON app.rich FOR UPDATE USING (price < 100) WITH CHECK (price < 200)",
                "app.rich: COMMENT ON POLICY writes ON app.rich IS 'x'",
                "app.rich: DROP RULE quiet ON app.rich",
                "app.rich: CREATE OR REPLACE RULE quiet AS ON DELETE TO app.rich WHERE OLD.price > 1001 DO INSTEAD NOTHING",
                "app.rich: ALTER TABLE app.rich DISABLE RULE quiet",
                "app.rich: COMMENT ON RULE quiet ON app.rich IS 'x'",
                "app.cheap: CREATE OR REPLACE VIEW app.cheap WITH (security_barrier = true) AS SELECT r.id, r.name, p.code FROM app.rich r LEFT JOIN app.parent p ON p.id = r.parent WHERE r.price < 11",
                "app.cheap: ALTER VIEW app.cheap RESET (security_barrier)",
                // sequences and types of columns
                "app.rich: ALTER SEQUENCE app.rich_id_seq INCREMENT 2",
                "app.rich: ALTER SEQUENCE app.rich_id_seq START 5",
                "app.rich: ALTER SEQUENCE app.rich_id_seq CACHE 5",
                "app.rich: ALTER SEQUENCE app.rich_id_seq CYCLE",
                "app.rich: ALTER SEQUENCE app.rich_id_seq MAXVALUE 5000",
                "app.rich: ALTER SEQUENCE app.rich_id_seq MINVALUE -5",
                "app.rich: ALTER SEQUENCE app.rich_id_seq AS bigint",
                "app.rich: ALTER SEQUENCE app.rich_id_seq OWNED BY NONE",
                "app.rich: ALTER SEQUENCE app.free_numbers INCREMENT 6",
                "app.rich: GRANT USAGE ON SEQUENCE app.rich_id_seq TO fingerprint_role",
                "app.parent: ALTER TABLE app.parent ALTER COLUMN id SET INCREMENT 3",
                "app.rich: ALTER TYPE app.mood RENAME VALUE 'sad' TO 'blue'",
                "app.rich: ALTER TYPE app.mood ADD VALUE 'mad' BEFORE 'fine'",
                "app.rich: ALTER DOMAIN app.positive DROP CONSTRAINT positive_check",
                "app.rich: ALTER DOMAIN app.positive SET DEFAULT 3",
                "app.rich: ALTER DOMAIN app.positive SET NOT NULL",
                "app.rich: ALTER TYPE app.address RENAME ATTRIBUTE zip TO code",
                "app.rich: REVOKE USAGE ON TYPE app.mood FROM PUBLIC");
        Stream<String> from15 = Stream.of("app.cheap: ALTER VIEW app.cheap SET (security_invoker = true)");
        Stream<String> from17 = Stream.of("app.rich: GRANT MAINTAIN ON app.rich TO fingerprint_role");
        Stream<String> from18 = Stream.of(
                "app.rich: ALTER TABLE app.rich RENAME CONSTRAINT rich_price_not_null TO x",
                "app.rich: ALTER TABLE app.rich ADD CONSTRAINT x NOT NULL note NOT VALID",
                "app.rich: ALTER TABLE app.rich ADD x int GENERATED ALWAYS AS (1) VIRTUAL",
                "app.rich: ALTER TABLE app.rich ADD CONSTRAINT x CHECK (id > 0) NOT ENFORCED");
        int major = PgBinaries.defaultMajor();
        return Stream.of(
                        everywhere,
                        major >= 15 ? from15 : Stream.<String>empty(),
                        major >= 17 ? from17 : Stream.<String>empty(),
                        major >= 18 ? from18 : Stream.<String>empty())
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void one_changed_fact_changes_the_fingerprint(String mutation) {
        String relation = mutation.substring(0, mutation.indexOf(':'));
        Fingerprint there = Objects.requireNonNull(unchanged.get(relation));
        try (NodeSession changed = nodes.session(1)) {
            changed.execute("BEGIN");
            changed.execute(mutation.substring(mutation.indexOf(':') + 2));
            Fingerprint here = Fingerprints.read(changed, relation);
            assertThat(here.hash()).isNotEqualTo(there.hash());
            assertThat(FingerprintDiff.of(Map.of("n1", here, "n2", there, "n3", there))
                            .lines())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).startsWith("n1: ").contains("elsewhere"));
            changed.execute("ROLLBACK");
        }
    }

    @ParameterizedTest
    @MethodSource("schemaMutations")
    void one_changed_fact_changes_the_fingerprint_of_the_schema(String mutation) {
        try (NodeSession changed = nodes.session(1)) {
            changed.execute("BEGIN");
            changed.execute(mutation);
            assertThat(Fingerprints.readSchema(changed, "app")).isNotEqualTo(unchanged.get("app"));
            changed.execute("ROLLBACK");
        }
    }

    static Stream<String> schemaMutations() {
        return Stream.of(
                "ALTER SCHEMA app OWNER TO fingerprint_role",
                "GRANT USAGE ON SCHEMA app TO fingerprint_role",
                "COMMENT ON SCHEMA app IS 'x'",
                "ALTER DEFAULT PRIVILEGES IN SCHEMA app GRANT SELECT ON TABLES TO fingerprint_role",
                "CREATE TABLE app.x ()",
                "CREATE SEQUENCE app.x",
                "ALTER SEQUENCE app.free_numbers NO CYCLE",
                "ALTER SEQUENCE app.free_numbers START 8",
                "GRANT USAGE ON SEQUENCE app.free_numbers TO fingerprint_role",
                "COMMENT ON SEQUENCE app.free_numbers IS 'x'",
                "CREATE VIEW app.x AS SELECT 1",
                "CREATE OR REPLACE VIEW app.names AS SELECT name, price * 3 AS twice FROM app.rich",
                "ALTER VIEW app.names ALTER COLUMN twice SET DEFAULT 3",
                "GRANT SELECT ON app.names TO fingerprint_role",
                "COMMENT ON VIEW app.names IS 'x'",
                "DROP MATERIALIZED VIEW app.totals",
                "CREATE INDEX ON app.totals (total)",
                "CREATE FUNCTION app.x() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "CREATE OR REPLACE FUNCTION app.plus_one(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 2'",
                "ALTER FUNCTION app.plus_one(int) VOLATILE",
                "ALTER FUNCTION app.plus_one(int) SET work_mem = '1MB'",
                "ALTER FUNCTION app.plus_one(int) OWNER TO fingerprint_role",
                "REVOKE EXECUTE ON FUNCTION app.plus_one(int) FROM PUBLIC",
                "COMMENT ON FUNCTION app.plus_one(int) IS 'x'",
                "DROP PROCEDURE app.nothing",
                "CREATE OR REPLACE AGGREGATE app.total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '1')",
                "ALTER TYPE app.mood ADD VALUE 'x'",
                "ALTER TYPE app.address ADD ATTRIBUTE x int",
                "ALTER DOMAIN app.positive ADD CHECK (VALUE < 1000)",
                "ALTER TYPE app.mood OWNER TO fingerprint_role",
                "COMMENT ON TYPE app.mood IS 'x'",
                "CREATE TYPE app.x AS ENUM ()",
                "CREATE COLLATION app.x FROM \"C\"",
                "CREATE OPERATOR app.<+> (FUNCTION = int4pl, LEFTARG = int, RIGHTARG = int)",
                "CREATE TEXT SEARCH CONFIGURATION app.x (COPY = pg_catalog.simple)");
    }

    @Test
    void equal_tables_made_by_different_routes_have_equal_fingerprints() {
        try (NodeSession one = nodes.session(1);
                NodeSession two = nodes.session(2)) {
            one.execute(
                    "CREATE TABLE route (id int PRIMARY KEY, a text DEFAULT 'x' NOT NULL, b numeric(10,2) CHECK (b > 0), c int);"
                            + "CREATE INDEX route_b ON route (b, a); CREATE STATISTICS route_stat ON a, b, c FROM route;"
                            + "GRANT SELECT, INSERT ON route TO fingerprint_role");
            two.execute("CREATE TABLE old_name (gone text, c int, b int, x0 int, a text);"
                    + "CREATE INDEX old_index ON old_name (gone); ALTER TABLE old_name DROP COLUMN gone;"
                    + "ALTER TABLE old_name ALTER COLUMN b TYPE numeric(10,2), ALTER COLUMN a SET DEFAULT 'x';"
                    + "ALTER TABLE old_name RENAME x0 TO id; CREATE STATISTICS route_stat ON b, a, c FROM old_name;"
                    + "ALTER TABLE old_name RENAME TO route; ALTER TABLE route ALTER COLUMN a SET NOT NULL;"
                    + "CREATE INDEX route_b ON route (b, a); ALTER TABLE route ADD PRIMARY KEY (id), ADD CHECK (b > 0);"
                    + "GRANT INSERT ON route TO fingerprint_role; GRANT SELECT, DELETE ON route TO fingerprint_role;"
                    + "REVOKE DELETE ON route FROM fingerprint_role; COMMENT ON TABLE route IS 'x'; COMMENT ON TABLE route IS NULL;"
                    + "ALTER TABLE route ALTER COLUMN c SET STATISTICS 5; ALTER TABLE route ALTER COLUMN c SET STATISTICS -1;"
                    + "INSERT INTO route (id, b) VALUES (1, 2); ANALYZE route");
            assertThat(Fingerprints.read(one, "public.route")).isEqualTo(Fingerprints.read(two, "public.route"));
        }
    }

    @Test
    void settings_of_the_session_change_nothing() {
        try (NodeSession plain = nodes.session(1);
                NodeSession strange = nodes.session(1)) {
            strange.execute("""
                    SET TimeZone = 'Pacific/Chatham'; SET DateStyle = 'ISO, DMY'; SET IntervalStyle = 'iso_8601'; SET extra_float_digits = -15;
                    SET quote_all_identifiers = on; SET bytea_output = 'escape'; SET standard_conforming_strings = off;
                    SET search_path = app, public; SET lc_messages = 'C'; SET escape_string_warning = off;
                    CREATE TEMP TABLE pg_class (a int); CREATE TEMP TABLE rich (a int); SET enable_indexscan = off""");
            assertThat(Fingerprints.read(strange, ALL)).isEqualTo(Fingerprints.read(plain, ALL));
            assertThat(Fingerprints.readSchema(strange, "app")).isEqualTo(Fingerprints.readSchema(plain, "app"));
        }
    }

    @Test
    void objects_of_ddlrep_are_left_out_and_any_role_may_ask() throws Exception {
        try (NodeSession one = nodes.session(1);
                NodeSession two = nodes.session(2)) {
            two.execute(
                    "BEGIN; CREATE FUNCTION ddlrep_shadow.capture() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
                            + "CREATE TRIGGER \"!capture\" AFTER INSERT ON app.parent EXECUTE FUNCTION ddlrep_shadow.capture();"
                            + "ALTER TABLE app.parent ENABLE ALWAYS TRIGGER \"!capture\"; SET LOCAL ROLE fingerprint_role");
            assertThat(Fingerprints.read(two, ALL)).isEqualTo(Fingerprints.read(one, ALL));
            two.execute("ROLLBACK");
        }
    }

    @Test
    void the_hash_of_the_server_is_that_of_java_and_what_does_not_exist_has_no_facts() {
        try (NodeSession session = nodes.session(1)) {
            List<Long> relids = session.query("SELECT unnest($1::text[])::regclass::oid AS oid", ALL).stream()
                    .map(row -> row.number("oid"))
                    .toList();
            Map<String, String> hashes = Fingerprints.hashes(session, relids);
            assertThat(hashes).hasSameSizeAs(ALL);
            for (Fingerprint fingerprint : Fingerprints.read(session, ALL)) {
                assertThat(hashes).containsEntry(fingerprint.relation(), fingerprint.hash());
            }
            assertThat(Fingerprints.hashes(session, List.of(1L))).isEmpty();
            assertThat(Fingerprints.read(session, "app.nothing").exists()).isFalse();
            assertThat(Fingerprints.readSchema(session, "nothing").exists()).isFalse();
        }
    }

    @Test
    void a_table_costs_a_few_milliseconds() {
        try (NodeSession session = nodes.session(1)) {
            List<Long> relid = List.of(session.query("SELECT 'app.parent'::regclass::oid AS oid")
                    .get(0)
                    .number("oid"));
            Fingerprints.hashes(session, relid);
            long best = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                Fingerprints.hashes(session, relid);
                best = Math.min(best, System.nanoTime() - start);
            }
            assertThat(best).isLessThan(20_000_000L);
        }
    }
}
