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

class PgGroupIT {

    @Test
    void a_shared_group_has_three_empty_databases_of_the_default_major() throws SQLException {
        try (PgGroup group = PgGroup.create("smoke")) {
            Set<String> identities = new HashSet<>();
            for (PgNode node : group.nodes()) {
                assertThat(node.queryText("SHOW server_version_num")).startsWith("" + PgBinaries.defaultMajor());
                assertThat(node.queryText("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
                        .isEqualTo("0");
                identities.add(node.queryText("SELECT system_identifier FROM pg_control_system()"));
            }
            assertThat(identities).hasSize(3);
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
}
