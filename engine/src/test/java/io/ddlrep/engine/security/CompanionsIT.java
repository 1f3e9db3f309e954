package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is logged in on the replicas during an operation. */
class CompanionsIT {
    @Test
    void companions_are_the_clients_own_user_and_a_password_that_is_wrong_there_changes_nothing() throws Exception {
        PgServerOptions options = PgServerOptions.defaults().withAuthentication(PgServerOptions.Authentication.SCRAM);
        try (AttackedGroup group = AttackedGroup.on(PgGroup.dedicated(2, options))) {
            Credentials right = new Credentials("mallory", "mallory");
            Client wrong = group.client(right, new Credentials("mallory", "guessed"));
            ServerError error = wrong.refused("ALTER TABLE mallory.t ADD COLUMN c int");
            assertThat(error.sqlState()).isEqualTo("28P01");
            assertThat(error.toString()).doesNotContain("guessed");
            wrong.run("BEGIN");
            assertThat(wrong.refused(
                                    "INSERT INTO mallory.t VALUES (1, 1); ALTER TABLE mallory.t ADD COLUMN c int; COMMIT")
                            .sqlState())
                    .isEqualTo("28P01");
            group.assertRows("SELECT count(*) FROM mallory.t", "0");
            group.assertRows(
                    "SELECT count(*) FROM pg_attribute WHERE attrelid = 'mallory.t'::regclass AND attnum > 0", "2");

            PgNode replica = group.node(2);
            List<String> seen = new ArrayList<>();
            try (NodeSession blocker = group.session(replica)) {
                blocker.execute("BEGIN; LOCK TABLE mallory.t IN ACCESS SHARE MODE");
                Client client = group.client("mallory");
                CompletableFuture<Void> ddl =
                        CompletableFuture.runAsync(() -> client.run("ALTER TABLE mallory.t ADD COLUMN c int"));
                await().atMost(20, TimeUnit.SECONDS).until(() -> {
                    seen.addAll(replica.queryRows(
                            "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND application_name = 'ddlrep companion' AND state <> 'idle'"));
                    return !seen.isEmpty();
                });
                blocker.execute("ROLLBACK");
                ddl.get(30, TimeUnit.SECONDS);
            }
            assertThat(seen).containsOnly("mallory");
            group.assertRows(
                    "SELECT count(*) FROM pg_attribute WHERE attrelid = 'mallory.t'::regclass AND attnum > 0", "3");
        }
    }
}
