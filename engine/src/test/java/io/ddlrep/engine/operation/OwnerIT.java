package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.Credentials;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients without any privilege but those on their own objects. */
class OwnerIT {
    private static final String OWNER = "ddlrep_test_owner";
    private static final String OTHER = "ddlrep_test_other";

    private static TestGroup group;
    private static TestClient owner;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("owner");
        for (int node = 1; node <= 3; node++) {
            group.local(
                    node,
                    "CREATE ROLE " + OWNER + " LOGIN PASSWORD 'x'",
                    "CREATE ROLE " + OTHER + " LOGIN PASSWORD 'x'",
                    "GRANT CREATE ON SCHEMA public TO " + OWNER + ", " + OTHER);
        }
        owner = client(OWNER);
        owner.run("CREATE TABLE t1 (id integer, v text)");
        group.origin().execute("INSERT INTO t1 SELECT g, 'v' FROM generate_series(1, 20) g");
    }

    @AfterAll
    static void stop() throws Exception {
        for (int node = 1; node <= 3; node++) {
            group.local(node, "DROP OWNED BY " + OWNER + ", " + OTHER + " CASCADE");
        }
        for (int node = 1; node <= 3; node++) {
            group.local(node, "DROP ROLE " + OWNER, "DROP ROLE " + OTHER);
        }
        group.close();
    }

    private static TestClient client(String role) {
        return group.client(group.engine(), group.origin(), new Credentials(role, "x"));
    }

    @Test
    void an_owner_runs_the_seed_script() throws Exception {
        owner.run("BEGIN; ALTER TABLE t1 ADD COLUMN c1 integer; CREATE SEQUENCE s1; UPDATE t1 SET c1 = nextval('s1');"
                + " ALTER TABLE t1 ALTER COLUMN c1 SET NOT NULL; ALTER TABLE t1 ADD PRIMARY KEY (c1); COMMIT");
        group.assertEqualNodes();
        owner.run("UPDATE t1 SET v = 'w' WHERE c1 < 5; ALTER TABLE t1 ADD COLUMN r double precision DEFAULT random()");
        group.assertEqualNodes();
        assertThat(group.node(2).queryText("SELECT tableowner FROM pg_tables WHERE tablename = 't1'"))
                .isEqualTo(OWNER);
    }

    @Test
    void a_table_of_somebody_else_is_refused_by_the_server_itself() throws Exception {
        Map<String, List<String>> before = group.state();
        try (TestClient other = client(OTHER)) {
            assertThat(other.refused("ALTER TABLE t1 ADD COLUMN stolen integer").sqlState())
                    .isEqualTo("42501");
            assertThat(other.refused("DROP TABLE t1").sqlState()).isEqualTo("42501");
        }
        group.assertUnchanged(before);
    }

    @Test
    void a_foreign_key_to_a_table_of_somebody_else_needs_only_references() throws Exception {
        owner.run("CREATE TABLE parent (id integer PRIMARY KEY); GRANT REFERENCES ON parent TO " + OTHER);
        try (TestClient other = client(OTHER)) {
            other.run("CREATE TABLE kid (id integer PRIMARY KEY, p integer REFERENCES parent)");
            other.run(
                    "BEGIN; ALTER TABLE kid ADD COLUMN q integer REFERENCES parent; INSERT INTO kid VALUES (1); COMMIT");
        }
        group.assertEqualNodes();
    }

    @Test
    void what_a_role_owns_changes_hands_and_goes_on_every_node() throws Exception {
        String heir = OTHER + "_heir";
        for (int node = 1; node <= 3; node++) {
            group.local(node, "CREATE ROLE " + heir + " LOGIN PASSWORD 'x'");
        }
        try (TestClient admin = group.client();
                TestClient other = client(OTHER);
                TestClient inherits = client(heir)) {
            other.run("CREATE TABLE estate (id integer PRIMARY KEY, v text); INSERT INTO estate VALUES (1, 'a')");
            admin.run("REASSIGN OWNED BY " + OTHER + " TO " + heir);
            for (int node = 1; node <= 3; node++) {
                assertThat(group.node(node).queryText("SELECT tableowner FROM pg_tables WHERE tablename = 'estate'"))
                        .isEqualTo(heir);
            }
            inherits.run("BEGIN; INSERT INTO estate VALUES (2, 'b'); ALTER TABLE estate ADD COLUMN w integer; COMMIT;"
                    + " UPDATE estate SET w = id");
            group.assertEqualNodes();
            assertThat(other.refused("ALTER TABLE estate ADD COLUMN x integer").sqlState())
                    .isEqualTo("42501");
            // Around ddlrep the server tells nobody; the next operation finds it.
            group.node(2).execute("REASSIGN OWNED BY " + heir + " TO " + OTHER);
            assertThat(admin.refused("ALTER TABLE estate ADD COLUMN x integer").toString())
                    .contains("55000", "owner", heir, OTHER);
            group.node(2).execute("REASSIGN OWNED BY " + OTHER + " TO " + heir);
            admin.run("ALTER TABLE estate ADD COLUMN x integer");
            inherits.run("DROP OWNED BY " + heir);
            for (int node = 1; node <= 3; node++) {
                assertThat(group.node(node).queryText("SELECT to_regclass('estate')"))
                        .isNull();
            }
            group.assertEqualNodes();
        } finally {
            for (int node = 1; node <= 3; node++) {
                group.local(node, "DROP OWNED BY " + heir, "DROP ROLE " + heir);
            }
        }
    }

    @Test
    void what_a_role_owns_is_replicated_in_scope_tables_too() throws Exception {
        group.nodes().executeOnAll("UPDATE ddlrep.publication SET scope = 'tables'");
        try (TestClient admin = group.client()) {
            admin.run("REASSIGN OWNED BY " + OWNER + " TO " + OTHER);
            group.assertEqualNodes();
            assertThat(group.node(3).queryText("SELECT tableowner FROM pg_tables WHERE tablename = 't1'"))
                    .isEqualTo(OTHER);
            admin.run("REASSIGN OWNED BY " + OTHER + " TO " + OWNER);
            group.assertEqualNodes();
        } finally {
            group.nodes().executeOnAll("UPDATE ddlrep.publication SET scope = 'database'");
        }
    }

    @Test
    void set_role_holds_on_every_node() throws Exception {
        try (TestClient admin = group.client()) {
            admin.run("SET ROLE " + OWNER + "; CREATE TABLE mine (id integer PRIMARY KEY); RESET ROLE");
        }
        group.assertEqualNodes();
        assertThat(group.node(3).queryText("SELECT tableowner FROM pg_tables WHERE tablename = 'mine'"))
                .isEqualTo(OWNER);
    }
}
