package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.ServerError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class IdleLimitIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("idle");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        group.synchronize();
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static long companions(int node) throws Exception {
        return Long.parseLong(String.valueOf(group.node(node)
                .queryText("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name = 'ddlrep companion' AND state LIKE 'idle in transaction%'")));
    }

    @Test
    void a_client_that_sits_idle_after_its_ddl_loses_its_transaction() throws Exception {
        Map<String, List<String>> before = group.state();
        TestClient idle = group.client();
        idle.run("SET ddlrep.idle_limit = '300ms'; BEGIN; ALTER TABLE t ADD COLUMN x integer; UPDATE t SET x = 1");
        await().atMost(LIMIT).until(() -> group.lastOperation().equals("rolled_back"));
        await().atMost(LIMIT).until(() -> companions(2) == 0 && companions(3) == 0);
        ServerError error = idle.refused("COMMIT; SELECT 1");
        assertThat(error.sqlState()).containsPattern("25P03|57P01|08...");
        group.assertUnchanged(before);
        group.run("ALTER TABLE t ADD COLUMN y integer; ALTER TABLE t DROP COLUMN y");
        group.assertEqualNodes();
    }

    @Test
    void a_client_that_works_is_not_idle() throws Exception {
        try (TestClient client = group.client()) {
            client.run("SET ddlrep.idle_limit = '1s'; BEGIN; ALTER TABLE t ADD COLUMN x integer; SELECT pg_sleep(2);"
                    + " UPDATE t SET x = id; ALTER TABLE t ALTER COLUMN x SET NOT NULL; COMMIT;"
                    + " ALTER TABLE t DROP COLUMN x");
        }
        group.assertEqualNodes();
    }

    @Test
    void limits_of_the_client_are_its_own_again_after_the_operation() throws Exception {
        try (TestClient client = group.client()) {
            client.run("SET idle_in_transaction_session_timeout = '77s'; SET lock_timeout = '66s';"
                    + " SET statement_timeout = '55s'; BEGIN; ALTER TABLE t ADD COLUMN x integer");
            assertThat(client.ask("SHOW lock_timeout")).isEqualTo("66s");
            assertThat(client.ask("SHOW statement_timeout")).isEqualTo("55s");
            assertThat(client.ask("SHOW deadlock_timeout")).isEqualTo("1s");
            client.run("COMMIT; ALTER TABLE t DROP COLUMN x");
            assertThat(client.ask("SHOW idle_in_transaction_session_timeout")).isEqualTo("77s");
            assertThat(client.ask("SHOW lock_timeout")).isEqualTo("66s");
            assertThat(client.ask("SHOW deadlock_timeout")).isEqualTo("1s");
        }
    }
}
