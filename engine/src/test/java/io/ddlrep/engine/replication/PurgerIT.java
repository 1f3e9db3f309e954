package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.NodeSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the purger does where others are at work on the same shadow tables. */
class PurgerIT {
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_closed_generation_whose_rights_a_client_changes_is_left_to_a_later_round() throws SQLException {
        try (RowsGroup group = RowsGroup.create("purger", 2)) {
            group.replicate("CREATE TABLE t (id integer PRIMARY KEY, v text)", "t");
            group.write(
                    "INSERT INTO t VALUES (1, 'a')",
                    "CREATE TABLE ddlrep_shadow.s99_1 (LIKE ddlrep_shadow.s1_1)",
                    "INSERT INTO ddlrep.shadow_generation SELECT 99, publication, 1, 's99_1', columns, column_names,"
                            + " key_columns, opened_by, 'op' FROM ddlrep.shadow_generation WHERE table_id = 1");
            group.synchronize();
            try (NodeSession service = group.access().service("n1");
                    Purger purger = new Purger(group.access(), service, "n1");
                    NodeSession client = group.open(group.origin())) {
                client.execute("BEGIN");
                client.execute("GRANT SELECT ON ddlrep_shadow.s99_1 TO PUBLIC");
                // Nothing is dropped before it is known where the replica is.
                await().atMost(Duration.ofSeconds(20)).until(() -> {
                    purger.run();
                    return "n2"
                            .equals(group.origin()
                                    .queryText("SELECT node FROM ddlrep.publication_node WHERE snapshot IS NOT NULL"));
                });
                purger.run();
                assertThat(isThere(group)).isEqualTo("t");
                client.execute("COMMIT");
                purger.run();
                assertThat(isThere(group)).isEqualTo("f");
            }
        }
    }

    private static String isThere(RowsGroup group) throws SQLException {
        return String.valueOf(group.origin().queryText("SELECT to_regclass('ddlrep_shadow.s99_1') IS NOT NULL"));
    }
}
