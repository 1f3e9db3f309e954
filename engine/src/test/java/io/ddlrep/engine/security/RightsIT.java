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

/** Shadow tables, apply functions and row level security: who may read and change what. */
class RightsIT {
    private final AttackedGroup group;

    RightsIT() throws SQLException {
        this.group = AttackedGroup.create("rights");
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write(
                "alice", "INSERT INTO alice.diary VALUES (1, 'dear diary')", "INSERT INTO alice.parent VALUES (1, 1)");
        group.synchronize();
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    private static void assertRefused(NodeSession session, String sql, String state) {
        ServerError error = Client.refusal(() -> session.execute(sql));
        assertThat(error.sqlState()).as("%s: %s", sql, error.message()).isEqualTo(state);
    }

    private String shadow(String table) throws SQLException {
        return Objects.requireNonNull(group.origin()
                .queryText(
                        "SELECT 'ddlrep_shadow.' || s.shadow FROM ddlrep.shadow_generation s JOIN ddlrep.replicated_table r"
                                + " ON r.table_id = s.table_id AND r.generation = s.generation WHERE r.relid = '"
                                + table
                                + "'::regclass"));
    }

    private static String tableId(PgNode node, String table) throws SQLException {
        return Objects.requireNonNull(
                node.queryText("SELECT table_id FROM ddlrep.replicated_table WHERE relid = '" + table + "'::regclass"));
    }

    @Test
    void a_shadow_table_is_read_by_the_owner_alone_and_written_by_capture_alone() throws SQLException {
        String shadow = shadow("alice.diary");
        group.nodes()
                .executeOnAll(
                        "SET ddlrep.replicate = off", "GRANT SELECT (id), UPDATE (entry) ON alice.diary TO mallory");
        for (String user : List.of("mallory", "alice")) {
            NodeSession session = group.session(group.origin(), user);
            for (String attack : List.of(
                    "INSERT INTO %s (op) VALUES ('T')",
                    "UPDATE %s SET op = 'D'",
                    "DELETE FROM %s",
                    "TRUNCATE %s",
                    "ALTER TABLE %s ADD x int",
                    "DROP TABLE %s",
                    "CREATE TRIGGER z BEFORE INSERT ON %s EXECUTE FUNCTION ddlrep.deny()",
                    "CREATE RULE z AS ON INSERT TO %s DO INSTEAD NOTHING")) {
                assertRefused(session, attack.formatted(shadow), "42501");
            }
            assertRefused(session, "CREATE TABLE ddlrep_shadow.x (i int)", "42501");
            assertRefused(session, "CREATE TABLE ddlrep.x (i int)", "42501");
            assertRefused(session, "SELECT nextval('ddlrep.change_seq')", "42501");
            assertRefused(session, "SELECT setval('ddlrep.change_seq', 1)", "42501");
        }
        NodeSession mallory = group.session(group.origin(), "mallory");
        assertRefused(mallory, "SELECT * FROM " + shadow, "42501");
        assertRefused(mallory, "SELECT c2 FROM " + shadow, "42501");
        assertRefused(mallory, "COPY " + shadow + " TO STDOUT", "42501");
        group.session(group.origin(), "alice").query("SELECT * FROM " + shadow);
        group.assertUnharmed();
    }

    @Test
    void rows_of_another_owner_in_a_transaction_with_ddl_are_refused_and_all_is_rolled_back() throws SQLException {
        group.nodes().executeOnAll("SET ddlrep.replicate = off", "GRANT SELECT, UPDATE (v) ON alice.parent TO mallory");
        Client mallory = group.client("mallory");
        for (String script : List.of(
                "BEGIN; UPDATE alice.parent SET v = 66; ALTER TABLE mallory.t ADD COLUMN c int; COMMIT",
                "BEGIN; ALTER TABLE mallory.t ADD COLUMN c int; UPDATE alice.parent SET v = 66; COMMIT")) {
            ServerError error = mallory.refused(script);
            assertThat(error.sqlState()).isEqualTo("42501");
            assertThat(error.message()).contains("must be its owner's");
            assertThat(error.hint()).contains("two transactions");
            group.assertRows("SELECT * FROM alice.parent", "1|1");
            group.assertRows(
                    "SELECT count(*) FROM pg_attribute WHERE attrelid = 'mallory.t'::regclass AND attnum > 0", "2");
        }
    }

    @Test
    void a_former_owner_reads_no_more_and_the_new_one_may_carry() throws SQLException {
        String shadow = shadow("mallory.t");
        group.client().run("ALTER TABLE mallory.t OWNER TO alice");
        group.nodes().executeOnAll("SET ddlrep.replicate = off", "GRANT USAGE ON SCHEMA mallory TO alice");
        assertThat(shadow("mallory.t")).isEqualTo(shadow);
        assertRefused(group.session(group.origin(), "mallory"), "SELECT * FROM " + shadow, "42501");
        group.client("alice")
                .run("BEGIN; INSERT INTO mallory.t VALUES (1, 1); ALTER TABLE mallory.t ADD COLUMN c int; COMMIT");
        group.assertRows("SELECT id, v FROM mallory.t", "1|1");
        assertRefused(group.session(group.origin(), "mallory"), "SELECT * FROM " + shadow("mallory.t"), "42501");
    }

    @Test
    void the_apply_role_holds_nothing_but_apply_functions_and_its_position() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows("SELECT c.oid::regclass || ' ' || p FROM pg_class c,"
                            + " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p"
                            + " WHERE c.relkind IN ('r', 'p', 'v', 'm') AND has_table_privilege('ddlrep_apply', c.oid, p)"
                            + " AND c.relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')"
                            + " AND c.relpersistence <> 't'"
                            // What everybody may read stands in TicketsIT.
                            + " AND NOT (c.relnamespace = 'ddlrep'::regnamespace AND p = 'SELECT') ORDER BY 1"))
                    .containsExactly("ddlrep.subscription UPDATE", "spy.log INSERT", "spy.log SELECT");
            assertThat(node.queryRows("SELECT DISTINCT p.pronamespace::regnamespace || ' '"
                            + " || regexp_replace(p.proname, '\\d+', 'N') FROM pg_proc p"
                            + " WHERE p.pronamespace::regnamespace::text IN ('ddlrep_shadow', 'ddlrep_apply')"
                            + " AND has_function_privilege('ddlrep_apply', p.oid, 'EXECUTE')"))
                    .isSubsetOf("ddlrep_apply apply_N");
            assertThat(node.queryRows(
                            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, rolinherit"
                                    + " FROM pg_roles WHERE rolname IN ('ddlrep_apply', 'ddlrep_owner')"))
                    .containsExactly("f|f|f|f|f|f", "f|f|f|f|f|f");
            assertThat(node.queryRows(
                            "SELECT roleid::regrole FROM pg_auth_members WHERE member::regrole::text LIKE 'ddlrep%'"
                                    // Its rights stand in ServiceRoleIT.
                                    + " AND member::regrole::text <> 'ddlrep_service'"))
                    .isEmpty();
        }
        NodeSession apply = group.session(group.node(2), "ddlrep_apply");
        for (String attack : List.of(
                "SELECT * FROM alice.diary",
                "INSERT INTO alice.diary VALUES (2, 'forged')",
                "DELETE FROM ddlrep.subscription",
                "UPDATE ddlrep.publication_node SET state = 'active'",
                "INSERT INTO ddlrep.applied_operation VALUES ('x', '1', 0)",
                "SELECT * FROM ddlrep.secret",
                "CREATE TABLE ddlrep_apply.x (i int)",
                "CREATE FUNCTION ddlrep_apply.x() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "SET ROLE alice",
                "CREATE ROLE x SUPERUSER")) {
            assertRefused(apply, attack, "42501");
        }
        assertThat(apply.query("SHOW row_security").get(0).get(0)).isEqualTo("off");
        group.assertUnharmed();
    }

    @Test
    void the_owner_of_a_table_cannot_touch_the_functions_made_for_it() throws SQLException {
        for (PgNode node : group.replicas()) {
            NodeSession mallory = group.session(node, "mallory");
            String apply = "ddlrep_apply.apply_" + tableId(node, "mallory.t") + "(text, boolean, int, text)";
            for (String attack : List.of(
                    "ALTER FUNCTION " + apply + " SECURITY INVOKER",
                    "ALTER FUNCTION " + apply + " RESET ALL",
                    "ALTER FUNCTION " + apply + " RENAME TO x",
                    "ALTER FUNCTION " + apply + " SET SCHEMA mallory",
                    "DROP FUNCTION " + apply,
                    "GRANT EXECUTE ON FUNCTION " + apply + " TO PUBLIC",
                    "CREATE OR REPLACE FUNCTION ddlrep_apply.apply_" + tableId(node, "mallory.t")
                            + "(stage text, ordered boolean, n int, ticket text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
                    "SELECT ddlrep_apply.apply_" + tableId(node, "mallory.t") + "('mallory.t', false, 1, 'x')")) {
                assertRefused(mallory, attack, "42501");
            }
        }
        NodeSession mallory = group.session(group.origin(), "mallory");
        String capture = "ddlrep_shadow.cap_" + tableId(group.origin(), "mallory.t") + "_i()";
        for (String attack : List.of(
                "ALTER FUNCTION " + capture + " SECURITY INVOKER",
                "DROP FUNCTION " + capture + " CASCADE",
                "CREATE OR REPLACE FUNCTION " + capture + " RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
                "CREATE TRIGGER mine AFTER INSERT ON mallory.t REFERENCING NEW TABLE AS ddlrep_new EXECUTE FUNCTION ddlrep_shadow.cap_"
                        + tableId(group.origin(), "alice.diary") + "_i()")) {
            assertRefused(mallory, attack, "42501");
        }
    }

    @Test
    void force_row_level_security_is_refused_and_rows_that_the_client_cannot_see_are_replicated() throws SQLException {
        Client alice = group.client("alice");
        ServerError error = alice.refused("ALTER TABLE alice.parent FORCE ROW LEVEL SECURITY");
        // Without policies FORCE binds the owner only together with ENABLE, but it is refused at once.
        assertThat(error.sqlState()).isEqualTo("0A000");
        assertThat(error.message()).contains("FORCE ROW LEVEL SECURITY");
        alice.run("BEGIN; ALTER TABLE alice.parent ENABLE ROW LEVEL SECURITY;"
                + " CREATE POLICY blind ON alice.parent FOR INSERT TO mallory WITH CHECK (true);"
                + " GRANT INSERT ON alice.parent TO mallory; COMMIT");
        group.write("mallory", "INSERT INTO alice.parent VALUES (5, 5)");
        group.assertRows("SELECT * FROM alice.parent ORDER BY 1", "1|1", "5|5");
        alice.run("BEGIN; UPDATE alice.parent SET v = 7; ALTER TABLE alice.parent ADD COLUMN c int DEFAULT 3; COMMIT");
        group.assertRows("SELECT * FROM alice.parent ORDER BY 1", "1|7|3", "5|7|3");
    }
}
