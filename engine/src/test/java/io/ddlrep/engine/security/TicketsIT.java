package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.control.GroupKey;
import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What any role may call and read in ddlrep's schemas, and what it cannot do with that. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TicketsIT {
    private final AttackedGroup group;

    TicketsIT() throws SQLException {
        this.group = AttackedGroup.create("tickets");
    }

    @BeforeAll
    void fill() throws SQLException {
        group.write("alice", "INSERT INTO alice.diary VALUES (1, 'dear diary')");
        group.synchronize();
    }

    @AfterAll
    void close() throws Exception {
        group.close();
    }

    private static void assertRefused(NodeSession session, String call) {
        ServerError error = Client.refusal(() -> session.query(call));
        assertThat(error.sqlState()).as(call).isEqualTo("42501");
    }

    private Tickets issuer() throws SQLException {
        return GroupKey.of(key()).tickets();
    }

    private byte[] key() throws SQLException {
        return HexFormat.of()
                .parseHex(Objects.requireNonNull(
                        group.origin().queryText("SELECT encode(key, 'hex') FROM ddlrep.secret")));
    }

    private static String backend(NodeSession session) {
        return session.query("SELECT ddlrep.backend() AS b").get(0).text("b");
    }

    @Test
    void calls_without_a_good_ticket_are_refused_on_every_node() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            NodeSession mallory = group.session(node, "mallory");
            for (String ticket : List.of("NULL", "''", "'x'", "repeat('0', 64)")) {
                assertRefused(mallory, "SELECT ddlrep.run('o', 1, 'ALTER ROLE mallory SUPERUSER', " + ticket + ")");
                assertRefused(mallory, "SELECT ddlrep.run(NULL, NULL, 'ALTER ROLE mallory SUPERUSER', " + ticket + ")");
                assertRefused(mallory, "SELECT ddlrep.enter('o', 1, true, " + ticket + ")");
                assertRefused(mallory, "SELECT ddlrep.carry('o', 1, 1, 'mallory.t', " + ticket + ")");
                assertRefused(mallory, "SELECT ddlrep.decide('o', 1, 0, " + ticket + ")");
            }
            assertRefused(mallory, "SELECT ddlrep.hmac('x')");
            assertRefused(mallory, "SELECT ddlrep.spend('run', 'o', 1, 'x', 'x')");
            assertRefused(mallory, "SELECT * FROM ddlrep.secret");
            assertRefused(mallory, "SELECT ddlrep.forget_publication('default')");
            assertRefused(mallory, "SELECT ddlrep.refuse('x', 'y', 'default')");
        }
        group.assertUnharmed();
    }

    @Test
    void a_ticket_is_good_for_one_backend_one_text_and_one_use() throws SQLException {
        NodeSession mallory = group.session(group.origin(), "mallory");
        NodeSession other = group.session(group.origin(), "mallory");
        String sql = "SELECT 1";
        String ticket = issuer().issue("run", "op1", 7, backend(mallory), sql);
        assertRefused(other, "SELECT ddlrep.run('op1', 7, '" + sql + "', '" + ticket + "')");
        assertRefused(mallory, "SELECT ddlrep.run('op1', 7, 'SELECT 2', '" + ticket + "')");
        assertRefused(mallory, "SELECT ddlrep.run('op1', 8, '" + sql + "', '" + ticket + "')");
        assertRefused(mallory, "SELECT ddlrep.enter('op1', 7, true, '" + ticket + "')");
        mallory.query("SELECT ddlrep.run('op1', 7, '" + sql + "', '" + ticket + "')");
        ServerError again =
                Client.refusal(() -> mallory.query("SELECT ddlrep.run('op1', 7, '" + sql + "', '" + ticket + "')"));
        assertThat(again.sqlState()).isEqualTo("42501");
        assertThat(again.message()).contains("used before");
    }

    @Test
    void an_apply_function_takes_a_ticket_of_this_backend_transaction_table_and_staging_table_once()
            throws SQLException {
        NodeSession apply = group.session(group.node(2), "ddlrep_apply");
        NodeSession other = group.session(group.node(2), "ddlrep_apply");
        String diary = tableId("alice.diary");
        String call = "SELECT ddlrep_apply.apply_" + diary + "('pg_temp.stage', false, ";
        String payload = diary + "|alice|pg_temp.stage";
        String older = stage(apply, diary);
        apply.execute("ROLLBACK");
        String xid = stage(apply, diary);
        List<String> tickets = List.of(
                "",
                "0".repeat(64),
                issuer().issue("apply", xid, 1, backend(other), payload),
                issuer().issue("apply", older, 1, backend(apply), payload),
                issuer().issue("apply", xid, 2, backend(apply), payload),
                issuer().issue("apply", xid, 1, backend(apply), tableId("mallory.t") + "|alice|pg_temp.stage"),
                issuer().issue("apply", xid, 1, backend(apply), diary + "|mallory|pg_temp.stage"),
                issuer().issue("apply", xid, 1, backend(apply), diary + "|alice|pg_temp.other"),
                issuer().issue("carry", xid, 1, backend(apply), payload));
        for (String ticket : tickets) {
            apply.execute("SAVEPOINT a");
            assertRefused(apply, call + "1, '" + ticket + "')");
            apply.execute("ROLLBACK TO SAVEPOINT a");
            assertRefused(apply, call + "0, NULL)");
            apply.execute("ROLLBACK TO SAVEPOINT a");
        }
        String good = issuer().issue("apply", xid, 1, backend(apply), payload);
        assertThat(apply.query(call + "1, $1) AS rows", good).get(0).number("rows"))
                .isEqualTo(1);
        ServerError again = Client.refusal(() -> apply.query(call + "1, $1)", good));
        assertThat(again.sqlState()).isEqualTo("42501");
        assertThat(again.message()).contains("used before");
        apply.execute("ROLLBACK");
        assertThat(group.node(2).queryRows("SELECT * FROM alice.diary")).containsExactly("1|dear diary");
        group.write("alice", "INSERT INTO alice.diary VALUES (2, 'more')", "DELETE FROM alice.diary WHERE id = 2");
        group.synchronize();
    }

    /** Begins a transaction with a forged batch, as somebody with a stolen password could; returns its id. */
    private String stage(NodeSession apply, String table) throws SQLException {
        String columns = Objects.requireNonNull(group.origin()
                .queryText("SELECT columns FROM ddlrep.shadow_generation WHERE closed_by IS NULL AND table_id = "
                        + table));
        apply.execute("BEGIN; CREATE TEMP TABLE stage (" + columns + "); GRANT SELECT ON stage TO alice;"
                + " INSERT INTO stage VALUES (1, '1', 'I', 2, 'forged')");
        return apply.query("SELECT pg_current_xact_id()::text AS xid").get(0).text("xid");
    }

    private String tableId(String table) throws SQLException {
        return Objects.requireNonNull(group.origin()
                .queryText("SELECT table_id FROM ddlrep.replicated_table WHERE relid = '" + table + "'::regclass"));
    }

    @Test
    void a_marker_made_by_hand_or_kept_from_an_operation_does_not_pass_the_guard() throws SQLException {
        NodeSession mallory = group.session(group.origin(), "mallory");
        mallory.execute("BEGIN");
        mallory.query(
                "SELECT ddlrep.enter('op2', 1, false, $1)",
                issuer().issue("enter", "op2", 1, backend(mallory), "false"));
        String kept = mallory.query("SELECT current_setting('ddlrep.marker') AS m")
                .get(0)
                .text("m");
        assertThat(mallory.query("SELECT ddlrep.in_operation() AS op").get(0).text("op"))
                .isEqualTo("op2");
        mallory.execute("COMMIT");
        for (String marker : List.of(kept, "op2|x", "x|" + "0".repeat(64), "op2", "|")) {
            mallory.execute("SET ddlrep.marker = '" + marker + "'");
            ServerError error = Client.refusal(() -> mallory.execute("ALTER TABLE mallory.t ADD COLUMN local int"));
            assertThat(error.sqlState()).as(marker).isEqualTo("55D01");
        }
    }

    @Test
    void what_public_may_call_read_and_use_is_exactly_this() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            assertThat(
                            node.queryRows(
                                    "SELECT p.proname || CASE WHEN p.prosecdef THEN ' definer' ELSE '' END FROM pg_proc p"
                                            + " WHERE p.pronamespace = 'ddlrep'::regnamespace"
                                            + " AND has_function_privilege('mallory', p.oid, 'EXECUTE')"
                                            + " AND p.prorettype <> 'event_trigger'::regtype AND p.proname !~ '_facts$|^fingerprint' ORDER BY 1"))
                    .containsExactly(
                            "backend definer",
                            "carry definer",
                            "decide definer",
                            "deny definer",
                            "empty_table",
                            "end_code definer",
                            "enter definer",
                            "enter_code definer",
                            "enter_outside definer",
                            "in_operation definer",
                            "left_behind",
                            "lock_slice definer",
                            "mismatch",
                            "own_schema",
                            "privileges",
                            "raise",
                            "role_verifier definer",
                            "run definer",
                            "shapes",
                            "take_batch definer",
                            "timeouts definer",
                            "version_ceiling",
                            "version_floor");
            assertThat(node.queryRows("SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'ddlrep'::regnamespace"
                            + " AND p.proname ~ '_facts$|^fingerprint' AND p.prosecdef"))
                    .isEmpty();
            assertThat(node.queryRows("SELECT c.oid::regclass || ' ' || a.privilege_type FROM pg_class c,"
                            + " aclexplode(c.relacl) a WHERE c.relnamespace::regnamespace::text LIKE 'ddlrep%'"
                            + " AND a.grantee = 0 ORDER BY 1"))
                    .containsExactly(
                            "ddlrep.applied_operation SELECT",
                            "ddlrep.decision SELECT",
                            "ddlrep.node SELECT",
                            "ddlrep.publication SELECT",
                            "ddlrep.publication_node SELECT",
                            "ddlrep.replicated_table SELECT",
                            "ddlrep.schema_version SELECT",
                            "ddlrep.self SELECT",
                            "ddlrep.shadow_generation SELECT",
                            "ddlrep.subscription SELECT");
            assertThat(
                            node.queryRows(
                                    "SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace::regnamespace::text"
                                            + " IN ('ddlrep_shadow', 'ddlrep_apply') AND has_function_privilege('ddlrep_local', p.oid, 'EXECUTE')"))
                    .isEmpty();
            assertThat(node.queryRows("SELECT p.oid::regprocedure FROM pg_proc p WHERE p.prosecdef"
                            + " AND p.pronamespace = 'ddlrep'::regnamespace AND NOT EXISTS (SELECT FROM unnest(p.proconfig) c"
                            + " WHERE c = 'search_path=pg_catalog, pg_temp')"))
                    .as("definer functions whose search_path is not pinned")
                    .isEmpty();
            assertThat(node.queryRows(
                            "SELECT n.nspname || ' ' || a.privilege_type FROM pg_namespace n, aclexplode(n.nspacl) a"
                                    + " WHERE n.nspname LIKE 'ddlrep%' AND a.grantee = 0 ORDER BY 1"))
                    .containsExactly("ddlrep USAGE", "ddlrep_shadow USAGE");
        }
    }

    @Test
    void secrets_stand_in_no_text_that_others_see() throws SQLException {
        group.client("mallory")
                .run("BEGIN; INSERT INTO mallory.t VALUES (9, 9); ALTER TABLE mallory.t ADD COLUMN c int; COMMIT");
        String key = HexFormat.of().formatHex(key());
        for (PgNode node : group.nodes().nodes()) {
            List<String> queries =
                    node.queryRows("SELECT query FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND application_name <> 'test'");
            assertThat(queries).isNotEmpty().noneMatch(q -> q.matches("(?s).*[0-9a-f]{64}.*"));
        }
        assertThat(GroupKey.of(key()).toString() + issuer() + new Credentials("mallory", "pass-word"))
                .doesNotContain(key)
                .doesNotContain("pass-word");
        NodeSession mallory = group.session(group.origin(), "mallory");
        ServerError error = Client.refusal(() -> mallory.query("SELECT ddlrep.run('o', 1, 'x', 'y')"));
        assertThat(error.toString()).doesNotContainPattern("[0-9a-f]{64}").doesNotContain(key);
    }
}
