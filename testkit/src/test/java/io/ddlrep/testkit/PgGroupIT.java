package io.ddlrep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class PgGroupIT {

    @Test
    void a_shared_group_has_three_empty_databases_of_the_default_major() throws SQLException {
        try (PgGroup group = PgGroup.create("smoke", 3, PgBinaries.defaultMajor())) {
            Set<String> identities = new HashSet<>();
            Set<String> oids = new HashSet<>();
            for (PgNode node : group.nodes()) {
                assertThat(node.queryText("SHOW server_version_num")).startsWith("" + PgBinaries.defaultMajor());
                assertThat(node.queryText("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
                        .isEqualTo("0");
                node.execute("CREATE TABLE t (id int)");
                oids.add(String.valueOf(node.queryText("SELECT 't'::regclass::oid")));
                identities.add(node.queryText("SELECT system_identifier FROM pg_control_system()"));
            }
            assertThat(identities).hasSize(3);
            assertThat(oids).hasSize(3);
        }
    }

    @Test
    void closing_a_group_drops_its_databases_with_all_that_still_uses_them() throws SQLException {
        PgGroup group = PgGroup.create("leftovers");
        PgNode node = group.node(1);
        PgNode elsewhere = node.withDatabase("postgres");
        try (Connection open = node.connect();
                Statement statement = open.createStatement()) {
            statement.execute("CREATE TABLE t (id int)");
            statement.execute("BEGIN; INSERT INTO t VALUES (1); PREPARE TRANSACTION 'left behind'");
            group.close();
            assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
        }
        assertThat(elsewhere.queryText("SELECT count(*) FROM pg_database WHERE datname LIKE 'leftovers%'"))
                .isEqualTo("0");
    }

    @Test
    void a_killed_server_keeps_what_was_committed_and_what_was_prepared() throws SQLException {
        try (PgGroup group = PgGroup.dedicated(1, PgServerOptions.defaults().withFsync(true))) {
            PgNode node = group.node(1);
            node.execute("CREATE TABLE t (id int)", "BEGIN; INSERT INTO t VALUES (1); PREPARE TRANSACTION 'p'");
            group.kill9(1);
            assertThatThrownBy(node::connect).isInstanceOf(SQLException.class);
            group.restart(1);
            node.execute("COMMIT PREPARED 'p'");
            assertThat(node.queryText("SELECT id FROM t")).isEqualTo("1");
        }
    }

    @Test
    void a_group_may_mix_majors_and_hold_one_major_twice() throws SQLException {
        try (PgGroup group = PgGroup.ofMajors("mixed", 14, 18, 14)) {
            assertThat(majorOf(group.node(1))).isEqualTo(14);
            assertThat(majorOf(group.node(2))).isEqualTo(18);
            assertThat(majorOf(group.node(3))).isEqualTo(14);
            assertThat(group.node(1).port()).isNotEqualTo(group.node(3).port());
        }
    }

    @Test
    void the_same_calls_make_a_group_on_external_servers_and_drop_it_again() throws SQLException {
        PgServerOptions scram = PgServerOptions.defaults().withAuthentication(PgServerOptions.Authentication.SCRAM);
        String before = System.getProperty(PgGroup.EXTERNAL_NODES, "");
        try (PgGroup servers = PgGroup.dedicated(2, scram)) {
            // Three nodes on two servers: the first two share one.
            String first = servers.node(1).withDatabase("postgres").conninfo();
            System.setProperty(
                    PgGroup.EXTERNAL_NODES,
                    first + " | " + first + "|"
                            + servers.node(2).withDatabase("postgres").conninfo());
            try (PgGroup group = PgGroup.create("outside")) {
                assertThat(group.size()).isEqualTo(3);
                assertThat(group.node(1).port()).isEqualTo(group.node(2).port());
                group.executeOnAll("CREATE TABLE t (id int)");
                assertThatThrownBy(() -> group.kill9(1))
                        .isInstanceOf(TestAbortedException.class)
                        .hasMessageContaining("external group");
                assertThatThrownBy(() -> PgGroup.create("too_many", 4)).isInstanceOf(TestAbortedException.class);
            }
            assertThat(servers.node(1).queryText("SELECT count(*) FROM pg_database WHERE datname LIKE 'outside%'"))
                    .isEqualTo("0");
        } finally {
            System.setProperty(PgGroup.EXTERNAL_NODES, before);
        }
    }

    @Test
    void shared_servers_cannot_be_killed_by_mistake() {
        try (PgGroup group = PgGroup.create("careful", 1, PgBinaries.defaultMajor())) {
            assertThatThrownBy(() -> group.kill9(1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void conninfo_and_jdbc_url_reach_databases_with_strange_names_and_passwords() throws SQLException {
        PgServerOptions scram = PgServerOptions.defaults().withAuthentication(PgServerOptions.Authentication.SCRAM);
        try (PgGroup group = PgGroup.dedicated(1, scram)) {
            PgNode node = group.node(1);
            node.execute("CREATE DATABASE \"it's a/b?\"", "CREATE ROLE \"o'r\" LOGIN PASSWORD 'p\\ ''q'");
            PgNode strange = node.withDatabase("it's a/b?");
            assertThat(strange.queryText("SELECT current_database()")).isEqualTo("it's a/b?");
            strange.connect("o'r", "p\\ 'q").close();
            PgNode parsed = Conninfo.toNode("n1", strange.conninfo("o'r", "p\\ 'q"));
            assertThat(parsed.database()).isEqualTo("it's a/b?");
            assertThat(parsed.queryText("SELECT current_user")).isEqualTo("o'r");
        }
    }

    private static int majorOf(PgNode node) throws SQLException {
        return Integer.parseInt(String.valueOf(node.queryText("SHOW server_version_num"))) / 10_000;
    }
}
