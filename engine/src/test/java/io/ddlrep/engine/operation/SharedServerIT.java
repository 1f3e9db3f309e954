package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgGroup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** n1 and n2 are databases of one server, n3 and n4 of another one. */
class SharedServerIT {
    private static final String ROLE = "ddlrep_test_shared";
    private static final String GROUP = "ddlrep_test_shared_group";

    private TestGroup group;

    @BeforeEach
    void start() throws Exception {
        group = TestGroup.on(PgGroup.sharing("shared", 2, 2));
    }

    @AfterEach
    void stop() throws Exception {
        for (int node : List.of(1, 3)) {
            group.local(node, "DROP ROLE IF EXISTS " + ROLE + ", " + ROLE + "_2, " + GROUP);
        }
        group.close();
    }

    private void assertRoles(String... expected) throws Exception {
        for (int node = 1; node <= 4; node++) {
            assertThat(group.node(node)
                            .queryRows("SELECT rolname, rolcreatedb, (SELECT count(*) FROM pg_auth_members m"
                                    + " WHERE m.member = r.oid AND m.roleid::regrole::text = '" + GROUP
                                    + "') FROM pg_roles r WHERE rolname LIKE '" + ROLE + "%' ORDER BY 1"))
                    .as("roles seen on n%s", node)
                    .containsExactly(expected);
        }
    }

    @Test
    void roles_are_changed_once_in_each_server() throws Exception {
        group.run("CREATE ROLE " + ROLE + " LOGIN");
        group.run("CREATE ROLE " + GROUP);
        assertRoles(ROLE + "|f|0", GROUP + "|f|0");
        group.run("ALTER ROLE " + ROLE + " CREATEDB; GRANT " + GROUP + " TO " + ROLE + "; COMMENT ON ROLE " + ROLE
                + " IS 'x'; ALTER ROLE " + ROLE + " RENAME TO " + ROLE + "_2");
        assertRoles(ROLE + "_2|t|1", GROUP + "|f|0");
        group.run("REVOKE " + GROUP + " FROM " + ROLE + "_2");
        group.run("DROP ROLE " + ROLE + "_2");
        group.run("DROP ROLE " + GROUP);
        assertRoles();
        group.assertEqualNodes();
    }

    /** Since 16 it decides whether whoever makes a role is a member of it; it is usually set for the role that makes them. */
    @Test
    void a_role_that_makes_roles_has_the_same_in_each_server() throws Exception {
        group.run("CREATE ROLE " + GROUP + " LOGIN CREATEROLE PASSWORD 'x'");
        group.run("ALTER ROLE " + GROUP + " SET createrole_self_grant = 'set, inherit'");
        try (TestClient client = group.client(group.engine(), group.origin(), new Credentials(GROUP, "x"))) {
            client.run("CREATE ROLE " + ROLE);
            for (int node = 1; node <= 4; node++) {
                assertThat(group.node(node)
                                .queryRows(
                                        "SELECT m.admin_option, m.inherit_option, m.set_option FROM pg_auth_members m"
                                                + " WHERE m.roleid = '" + ROLE + "'::regrole ORDER BY 1"))
                        .as("n%s", node)
                        .containsExactly("f|t|t", "t|f|f");
            }
            client.run("DROP ROLE " + ROLE);
        }
    }

    private void assertMayCreate(boolean... expected) throws Exception {
        for (int node = 1; node <= 4; node++) {
            assertThat(group.node(node)
                            .queryText("SELECT has_database_privilege('" + ROLE
                                    + "', current_database(), 'CREATE WITH GRANT OPTION')"))
                    .as("n" + node)
                    .isEqualTo(expected[node - 1] ? "t" : "f");
        }
    }

    @Test
    void privileges_on_the_database_are_granted_on_each_nodes_own() throws Exception {
        List<String> databases = new ArrayList<>();
        for (int node = 1; node <= 4; node++) {
            databases.add(group.node(node).queryText("SELECT quote_ident(current_database())"));
        }
        assertThat(databases.get(1)).isNotEqualTo(databases.get(0));
        group.run("CREATE ROLE " + ROLE);
        group.run("GRANT CREATE, TEMPORARY ON DATABASE " + databases.get(0) + " TO " + ROLE + " WITH GRANT OPTION");
        assertMayCreate(true, true, true, true);
        group.run("BEGIN; REVOKE ALL ON DATABASE " + databases.get(0) + " FROM " + ROLE + "; ROLLBACK");
        assertMayCreate(true, true, true, true);
        group.run("REVOKE ALL ON DATABASE " + databases.get(1) + " FROM " + ROLE);
        assertMayCreate(true, false, true, true);
        group.run("REVOKE ALL ON DATABASE " + databases.get(0) + " FROM " + ROLE);
        assertMayCreate(false, false, false, false);
    }

    @Test
    void what_code_grants_on_its_database_is_granted_on_each_nodes_own() throws Exception {
        String privileges =
                "SELECT string_agg(coalesce(nullif(a.grantee, 0)::regrole::text, 'PUBLIC') || ' ' || a.privilege_type"
                        + " || CASE WHEN a.is_grantable THEN '*' ELSE '' END, ', ' ORDER BY a.grantee, a.privilege_type) FROM pg_database d, aclexplode(d.datacl) a"
                        + " WHERE d.datname = current_database() AND (a.grantee = 0 OR a.grantee = '" + ROLE
                        + "'::regrole)";
        String grant = " ON DATABASE %I ', current_database())";
        group.run("CREATE ROLE " + ROLE);
        group.run("DO $$ BEGIN EXECUTE format('GRANT CREATE, TEMPORARY" + grant + " || 'TO " + ROLE
                + " WITH GRANT OPTION'; CREATE TABLE made (id integer); END $$");
        assertOnAll(privileges, "PUBLIC CONNECT, PUBLIC TEMPORARY, " + ROLE + " CREATE*, " + ROLE + " TEMPORARY*");
        group.run("DO $$ BEGIN EXECUTE format('REVOKE CONNECT" + grant
                + " || 'FROM PUBLIC'; EXECUTE format('REVOKE GRANT OPTION FOR" + " CREATE" + grant + " || 'FROM " + ROLE
                + "'; END $$");
        assertOnAll(privileges, "PUBLIC TEMPORARY, " + ROLE + " CREATE, " + ROLE + " TEMPORARY*");
        group.run("DO $$ BEGIN EXECUTE format('REVOKE ALL" + grant + " || 'FROM " + ROLE
                + "'; EXECUTE format('GRANT CONNECT" + grant + " || 'TO PUBLIC'; END $$");
        assertOnAll(privileges, "PUBLIC CONNECT, PUBLIC TEMPORARY");
        group.run("DROP TABLE made");
    }

    private void assertOnAll(String query, String expected) throws Exception {
        for (int node = 1; node <= 4; node++) {
            assertThat(group.node(node).queryText(query)).as("n" + node).isEqualTo(expected);
        }
    }

    @Test
    void whoever_may_grant_on_the_origin_alone_is_refused() throws Exception {
        String database = group.origin().queryText("SELECT quote_ident(current_database())");
        group.run("CREATE ROLE " + ROLE + " LOGIN PASSWORD 'x'; CREATE ROLE " + GROUP);
        group.local(1, "GRANT CONNECT ON DATABASE " + database + " TO " + ROLE + " WITH GRANT OPTION");
        try (TestClient client = group.client(group.engine(), group.origin(), new Credentials(ROLE, "x"))) {
            ServerError error = client.refused("GRANT CONNECT ON DATABASE " + database + " TO " + GROUP);
            assertThat(error.sqlState()).isEqualTo("42501");
            assertThat(error.hint()).contains("same owner");
        } finally {
            group.local(1, "REVOKE ALL ON DATABASE " + database + " FROM " + ROLE + " CASCADE");
        }
        assertThat(group.origin()
                        .queryText("SELECT count(*) FROM pg_database d, aclexplode(d.datacl) a WHERE a.grantee = '"
                                + GROUP + "'::regrole"))
                .isEqualTo("0");
    }

    @Test
    void a_password_is_kept_by_every_server_as_the_origin_does_and_by_no_journal() throws Exception {
        String kept = "SELECT rolpassword FROM pg_authid WHERE rolname = '" + ROLE + "'";
        List<String> before = new ArrayList<>();
        for (String sql : List.of(
                "CREATE USER " + ROLE + " PASSWORD 'topsecret1' VALID UNTIL 'infinity'",
                "BEGIN; SAVEPOINT a; ALTER ROLE " + ROLE + " ENCRYPTED PASSWORD E'topsecret2'; RELEASE a; COMMIT",
                "SET ROLE " + ROLE + "; ALTER ROLE CURRENT_USER PASSWORD $$topsecret3$$",
                "SET standard_conforming_strings = off; ALTER USER " + ROLE + " PASSWORD 'a\\' topsecret8'",
                "SET password_encryption = md5; ALTER USER " + ROLE + " PASSWORD 'topsecret4'")) {
            group.run(sql);
            String verifier = group.origin().queryText(kept);
            assertThat(verifier).matches("(SCRAM-SHA-256\\$|md5).{30,}");
            assertThat(before).doesNotContain(verifier);
            before.add(verifier);
            for (int node = 2; node <= 4; node++) {
                assertThat(group.node(node).queryText(kept))
                        .as("n%s: %s", node, sql)
                        .isEqualTo(verifier);
            }
        }
        group.run("ALTER ROLE " + ROLE + " PASSWORD NULL");
        assertThat(group.node(3).queryText(kept)).isNull();
        group.run("CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE USER MAPPING FOR "
                + ROLE + " SERVER s OPTIONS (password 'topsecret5'); DROP FOREIGN DATA WRAPPER w CASCADE");
        group.local(
                1,
                "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE USER MAPPING FOR " + ROLE
                        + " SERVER s OPTIONS (key 'topsecret6'); DROP FOREIGN DATA WRAPPER w CASCADE");
        group.run("DO $$BEGIN EXECUTE 'CREATE TABLE t (password text DEFAULT ''topsecret7'')'; END$$; DROP TABLE t");
        assertThat(group.origin()
                        .queryRows("SELECT o FROM ddlrep.ddl_operation o WHERE o::text LIKE '%topsecret%'"
                                + " UNION ALL SELECT NULL FROM ddlrep.drift_event d WHERE d::text LIKE '%topsecret%'"))
                .isEmpty();
        assertThat(group.origin()
                        .queryText("SELECT count(*) FROM ddlrep.ddl_operation WHERE statements::text LIKE '%***%'"))
                .isEqualTo("7");
    }

    @Test
    void what_a_role_owns_is_changed_in_every_database() throws Exception {
        group.run("CREATE ROLE " + ROLE);
        group.run("CREATE TABLE t (id integer PRIMARY KEY); GRANT SELECT ON t TO " + ROLE);
        group.run("DROP OWNED BY " + ROLE);
        for (int node = 1; node <= 4; node++) {
            assertThat(group.node(node).queryText("SELECT has_table_privilege('" + ROLE + "', 't', 'SELECT')"))
                    .as("right on n%s", node)
                    .isEqualTo("f");
        }
        group.run("DROP ROLE " + ROLE);
        group.assertEqualNodes();
    }

    @Test
    void a_role_and_a_table_in_one_transaction_are_all_or_none() throws Exception {
        TestClient client = group.client();
        client.run("BEGIN; CREATE ROLE " + ROLE + "; CREATE TABLE t (id integer PRIMARY KEY); COMMIT");
        assertRoles(ROLE + "|f|0");
        group.assertEqualNodes();
        client.run("BEGIN; DROP ROLE " + ROLE + "; ALTER TABLE t ADD COLUMN a integer; ROLLBACK");
        assertRoles(ROLE + "|f|0");
        group.assertEqualNodes();
    }
}
