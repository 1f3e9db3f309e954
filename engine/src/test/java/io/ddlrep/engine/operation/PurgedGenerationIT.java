package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The purger drops a consumed generation of a shadow table while an operation takes rights on it away. */
class PurgedGenerationIT {
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_table_is_dropped_while_the_purger_drops_a_generation_of_it() throws Exception {
        try (TestGroup group = TestGroup.create("purged")) {
            group.run("CREATE TABLE t (id integer PRIMARY KEY)");
            group.run("ALTER TABLE t ADD COLUMN second integer");
            assertThat(group.origin()
                            .queryText("SELECT shadow FROM ddlrep.shadow_generation WHERE closed_by IS NOT NULL"))
                    .isEqualTo("s1_1");
            try (Connection holder = group.origin().connect();
                    Connection purger = group.origin().connect();
                    Statement held = holder.createStatement();
                    Statement purge = purger.createStatement()) {
                // The operation stops here, behind its drain, which reads the generation.
                holder.setAutoCommit(false);
                held.execute("SELECT 1 FROM ddlrep.replicated_table FOR UPDATE");
                CompletableFuture<Void> drop = CompletableFuture.runAsync(() -> group.run("DROP TABLE t"));
                awaitWaiter(group, "locktype = 'transactionid'");
                purger.setAutoCommit(false);
                purge.execute("SELECT ddlrep.drop_generation(1, 1)");
                holder.commit();
                awaitWaiter(group, "relation = 'ddlrep_shadow.s1_1'::regclass");
                purger.commit();
                drop.join();
            }
            group.assertEqualNodes();
            assertThat(group.node(3).queryText("SELECT to_regclass('t')")).isNull();
        }
    }

    private static void awaitWaiter(TestGroup group, String lock) {
        Awaitility.await()
                .until(() -> "t"
                        .equals(group.origin()
                                .queryText("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND " + lock + ")")));
    }
}
