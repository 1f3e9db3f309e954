package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.control.GroupKey;
import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The role of the service: what it may do, and what somebody with its password alone cannot. */
class ServiceRoleIT {
    private static final String SERVICE = "ddlrep_service";

    private final AttackedGroup group;

    ServiceRoleIT() throws SQLException {
        this.group = AttackedGroup.create("service");
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write("alice", "INSERT INTO alice.diary VALUES (1, 'dear diary')");
        group.client("alice").run("ALTER TABLE alice.parent ADD COLUMN before int");
        group.synchronize();
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    private static void assertRefused(NodeSession session, String sql) {
        ServerError error = Client.refusal(() -> session.execute(sql));
        assertThat(error.sqlState()).as("%s: %s", sql, error.message()).isEqualTo("42501");
    }

    private static String preparer(PgNode node, String login) throws SQLException {
        return "ddlrep_prepare_" + node.queryText("SELECT oid FROM pg_roles WHERE rolname = '" + login + "'");
    }

    private long backendOf(NodeSession session) {
        return session.query("SELECT pg_backend_pid() AS pid").get(0).number("pid");
    }

    @Test
    void its_rights_are_exactly_these() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows("SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls"
                            + " FROM pg_roles WHERE rolname = '" + SERVICE + "'"))
                    .containsExactly("f|f|f|f|f");
            assertThat(node.queryRows("SELECT DISTINCT regexp_replace(roleid::regrole::text, '\\d+$', 'N')"
                            + " FROM pg_auth_members WHERE member::regrole::text = '" + SERVICE + "' ORDER BY 1"))
                    .isSubsetOf("ddlrep_prepare_N", "pg_read_all_stats")
                    .contains("pg_read_all_stats");
            assertThat(
                            node.queryRows(
                                    "SELECT c.oid::regclass || ' ' || string_agg(DISTINCT a.privilege_type, ',') FROM pg_class c,"
                                            + " aclexplode(c.relacl) a WHERE a.grantee = '" + SERVICE
                                            + "'::regrole AND NOT (c.relnamespace = 'ddlrep_shadow'::regnamespace)"
                                            + " GROUP BY c.oid HAVING string_agg(DISTINCT a.privilege_type, ',') <> 'SELECT' ORDER BY 1"))
                    .containsExactly(
                            "ddlrep.ddl_operation INSERT,SELECT",
                            "ddlrep.ddl_step INSERT,SELECT,UPDATE",
                            "ddlrep.decision INSERT,SELECT",
                            "ddlrep.table_id USAGE",
                            "ddlrep.tick DELETE,INSERT,SELECT");
            assertThat(node.queryRows("SELECT DISTINCT a.privilege_type FROM pg_class c, aclexplode(c.relacl) a"
                            + " WHERE a.grantee = '" + SERVICE
                            + "'::regrole AND c.relnamespace = 'ddlrep_shadow'::regnamespace"
                            + " ORDER BY 1"))
                    .isSubsetOf("DELETE", "SELECT", "TRUNCATE");
            assertThat(node.queryRows("SELECT p.proname FROM pg_proc p, aclexplode(p.proacl) a WHERE a.grantee = '"
                            + SERVICE + "'::regrole ORDER BY 1"))
                    .containsExactly(
                            "drop_generation",
                            "end_companion",
                            "end_idle_client",
                            "end_outside",
                            "login_verifier",
                            "preparer",
                            "relation",
                            "undo_outside");
        }
    }

    @Test
    void its_password_alone_opens_no_table_no_role_and_no_code() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            NodeSession thief = group.session(node, SERVICE);
            for (String attack : List.of(
                    "SELECT * FROM alice.diary",
                    "DELETE FROM alice.diary",
                    "SET ROLE alice",
                    "SET ROLE ddlrep_owner",
                    "SET ROLE ddlrep_apply",
                    "SET ROLE " + node.superuser(),
                    "SET SESSION AUTHORIZATION alice",
                    "CREATE ROLE x",
                    "ALTER ROLE alice PASSWORD 'x'",
                    "ALTER ROLE ddlrep_apply PASSWORD 'x'",
                    "ALTER ROLE ddlrep_service SUPERUSER",
                    "GRANT alice TO ddlrep_service",
                    "CREATE TABLE ddlrep.x (i int)",
                    "CREATE FUNCTION ddlrep_shadow.x() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                    "CREATE FUNCTION ddlrep_apply.x() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                    "UPDATE ddlrep.secret SET key = '\\x00'",
                    "UPDATE ddlrep.self SET node = 'n9'",
                    "UPDATE ddlrep.node SET host = 'evil'",
                    "UPDATE ddlrep.publication SET origin = 'n2'",
                    "DELETE FROM ddlrep.replicated_table",
                    "UPDATE ddlrep.decision SET outcome = 'commit'",
                    "DELETE FROM ddlrep.decision",
                    "INSERT INTO ddlrep.applied_operation VALUES ('x', '1', 0)",
                    "UPDATE ddlrep.subscription SET tick = 0",
                    "DELETE FROM ddlrep.drift_event",
                    "SELECT setval('ddlrep.change_seq', 1)",
                    "SELECT ddlrep.forget_publication('default')",
                    "SELECT ddlrep.hmac('x')",
                    "COPY (SELECT 1) TO PROGRAM 'true'",
                    "SELECT pg_read_file('PG_VERSION')",
                    "SET session_replication_role = replica")) {
                assertRefused(thief, attack);
            }
        }
        for (Row shadow : group.session(group.origin(), SERVICE).query("SELECT shadow FROM ddlrep.shadow_generation")) {
            String name = "ddlrep_shadow." + shadow.text("shadow");
            NodeSession thief = group.session(group.origin(), SERVICE);
            assertRefused(thief, "INSERT INTO " + name + " (op) VALUES ('T')");
            assertRefused(thief, "UPDATE " + name + " SET op = 'D'");
            assertRefused(thief, "ALTER TABLE " + name + " ADD COLUMN x int");
            assertRefused(
                    thief,
                    "CREATE TRIGGER z BEFORE INSERT ON " + name + " FOR EACH ROW EXECUTE FUNCTION ddlrep.deny()");
        }
        group.assertUnharmed();
    }

    @Test
    void tickets_that_it_makes_for_itself_are_refused() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            NodeSession thief = group.session(node, SERVICE);
            String key = thief.query("SELECT encode(key, 'hex') AS key FROM ddlrep.secret")
                    .get(0)
                    .text("key");
            Tickets tickets = GroupKey.of(HexFormat.of().parseHex(key)).tickets();
            String backend = thief.query("SELECT ddlrep.backend() AS b").get(0).text("b");
            String sql = "ALTER ROLE ddlrep_service SUPERUSER";
            ServerError error = Client.refusal(() -> thief.query(
                    "SELECT ddlrep.run($1, 1, $2, $3)", "x", sql, tickets.issue("run", "x", 1, backend, sql)));
            assertThat(error.sqlState()).isEqualTo("42501");
            assertThat(error.message()).contains("the service role cannot run DDL");
        }
        group.assertUnharmed();
    }

    @Test
    void it_ends_companions_and_clients_of_operations_and_no_other_session() throws SQLException {
        NodeSession victim = group.session(group.origin(), "alice");
        NodeSession thief = group.session(group.origin(), SERVICE);
        long pid = backendOf(victim);
        assertRefused(thief, "SELECT pg_terminate_backend(" + pid + ")");
        assertRefused(thief, "SELECT pg_cancel_backend(" + pid + ")");
        assertRefused(
                thief,
                "SELECT ddlrep.end_companion(a.pid, a.backend_start) FROM pg_stat_activity a WHERE a.pid = " + pid);
        victim.execute("BEGIN");
        assertThat(thief.query(
                                "SELECT ddlrep.end_idle_client(a.pid, (extract(epoch FROM a.backend_start) * 1000000)::bigint,"
                                        + " 0) AS ended FROM pg_stat_activity a WHERE a.pid = " + pid)
                        .get(0)
                        .get("ended"))
                .isNull();
        victim.execute("SET application_name = 'ddlrep companion'");
        assertThat(thief.query("SELECT ddlrep.end_companion(a.pid, a.backend_start) AS ended FROM pg_stat_activity a"
                                + " WHERE a.pid = " + pid)
                        .get(0)
                        .flag("ended"))
                .isTrue();
    }

    /** Each login has a preparing role of its own: nobody else's transactions can be finished with it. */
    @Test
    void a_prepared_transaction_is_finished_by_its_own_login_and_the_service_alone() throws SQLException {
        group.client("mallory").run("ALTER TABLE mallory.t ADD COLUMN c int");
        PgNode node = group.node(2);
        String preparer = preparer(node, "alice");
        NodeSession alice = group.session(node, "alice");
        alice.execute("BEGIN");
        alice.query("SELECT pg_current_xact_id()");
        alice.execute("SET ROLE " + preparer);
        alice.execute("PREPARE TRANSACTION 'service_role_it'");
        NodeSession mallory = group.session(node, "mallory");
        assertRefused(mallory, "SET ROLE " + preparer);
        assertRefused(mallory, "COMMIT PREPARED 'service_role_it'");
        mallory.execute("SET ROLE " + preparer(node, "mallory"));
        assertRefused(mallory, "ROLLBACK PREPARED 'service_role_it'");
        NodeSession service = group.session(node, SERVICE);
        assertRefused(service, "ROLLBACK PREPARED 'service_role_it'");
        service.execute("SET ROLE " + preparer);
        service.execute("ROLLBACK PREPARED 'service_role_it'");
        assertThat(node.queryRows("SELECT rolname FROM pg_roles WHERE rolname ~ '^ddlrep_prepare_'"
                        + " AND (rolcanlogin OR rolinherit OR rolsuper OR rolcreaterole OR rolbypassrls)"))
                .isEmpty();
        assertThat(node.queryRows(
                        "SELECT classid::regclass, objid FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid"
                                + " WHERE d.refclassid = 'pg_authid'::regclass AND r.rolname ~ '^ddlrep_prepare_'"
                                // From 16 on each membership depends on its role.
                                + " AND d.classid <> 'pg_auth_members'::regclass"))
                .as("objects and rights of the preparing roles")
                .isEmpty();
    }

    @Test
    void a_right_that_is_missing_is_told_before_anything_is_locked() throws SQLException {
        PgNode node = group.node(3);
        node.execute("REVOKE EXECUTE ON FUNCTION ddlrep.preparer(text) FROM ddlrep_service");
        ServerError error = group.client("alice").refused("ALTER TABLE alice.parent ADD COLUMN refused int");
        assertThat(error.sqlState()).isEqualTo("42501");
        assertThat(error.message())
                .contains("the service role lacks rights on node n3")
                .contains("nothing was changed");
        assertThat(error.detail()).contains("preparer");
        assertThat(Objects.requireNonNull(error.hint())).contains("ddlrep doctor --fix");
        node.execute("GRANT EXECUTE ON FUNCTION ddlrep.preparer(text) TO ddlrep_service");
        group.client("alice").run("ALTER TABLE alice.parent ADD COLUMN allowed int");
    }

    /** As a transaction that an older ddlrep has prepared. */
    @Test
    void a_transaction_that_the_client_itself_prepared_is_left_to_a_superuser() throws SQLException {
        PgNode node = group.node(2);
        String gid = "ddlrep:" + node.queryText("SELECT group_id FROM ddlrep.self") + ":n2:00000000000000aa";
        group.origin()
                .execute(
                        "INSERT INTO ddlrep.ddl_operation (op, publications, nodes, state, actor, coordinator, client_pid,"
                                + " client_backend_start, search_path, role) VALUES ('00000000000000aa', '{default}', '{n2}', 'open',"
                                + " 'alice', 'test', 0, now(), '', 'alice')");
        NodeSession alice = group.session(node, "alice");
        alice.execute("BEGIN");
        alice.query("SELECT pg_current_xact_id()");
        alice.execute("PREPARE TRANSACTION '" + gid + "'");
        Client client = group.client("alice");
        ServerError error = client.refused("ALTER TABLE alice.parent ADD COLUMN waits int");
        assertThat(error.sqlState()).isEqualTo("55000");
        assertThat(error.message()).contains("rolled back but not finished on every node");
        assertThat(error.detail())
                .contains("n2: transaction " + gid + " was prepared by role alice")
                .contains("run ddlrep recover as a superuser");
        node.execute("ROLLBACK PREPARED '" + gid + "'");
        client.run("ALTER TABLE alice.parent ADD COLUMN waits int");
    }

    /** A login that was made after init: nothing has to be granted by hand. */
    @Test
    void a_new_owner_needs_nothing() throws SQLException {
        group.nodes().executeOnAll("DROP ROLE IF EXISTS newcomer", "CREATE ROLE newcomer LOGIN PASSWORD 'newcomer'");
        try {
            group.nodes().executeOnAll("SET ddlrep.replicate = off", "GRANT USAGE, CREATE ON SCHEMA alice TO newcomer");
            Client newcomer = group.client("newcomer");
            newcomer.run("CREATE TABLE alice.fresh (id int PRIMARY KEY)");
            newcomer.run("BEGIN; INSERT INTO alice.fresh VALUES (7); ALTER TABLE alice.fresh ADD COLUMN v int; COMMIT");
            group.assertRows("SELECT id FROM alice.fresh", "7");
            newcomer.run("DROP TABLE alice.fresh");
        } finally {
            group.nodes().executeOnAll("SET ddlrep.replicate = off", "DROP OWNED BY newcomer CASCADE");
            group.nodes().executeOnAll("DROP ROLE newcomer");
        }
    }

    /** The client's transaction runs as another role than its login. */
    @Test
    void set_role_in_the_clients_session_needs_no_recovery() throws SQLException {
        group.nodes().executeOnAll("GRANT alice TO mallory");
        try {
            Client mallory = group.client("mallory");
            mallory.run("SET ROLE alice");
            mallory.run("ALTER TABLE alice.parent ADD COLUMN by_member int");
            assertThat(group.origin().queryRows("SELECT state FROM ddlrep.ddl_operation ORDER BY started DESC LIMIT 1"))
                    .containsExactly("committed");
            assertThat(group.origin().queryRows("SELECT DISTINCT state FROM ddlrep.publication_node"))
                    .containsExactly("active");
        } finally {
            group.nodes().executeOnAll("REVOKE alice FROM mallory");
        }
    }
}
