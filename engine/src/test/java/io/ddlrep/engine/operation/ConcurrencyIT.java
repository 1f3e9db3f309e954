package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two engines, as two processes would have them, on one group. */
class ConcurrencyIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static TestGroup group;
    private static TriggerEngine other;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("concurrency");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text); CREATE TABLE u (id integer PRIMARY KEY, v text)");
        group.origin()
                .execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g", "INSERT INTO u VALUES (1, 'v')");
        other = group.openEngine(Map.of(), group.connector());
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static String outcome(TestClient client, String sql) {
        try {
            client.script(sql);
            return "done";
        } catch (NodeException e) {
            return e.sqlState();
        } catch (DdlrepException e) {
            return e.error().sqlState();
        }
    }

    private static CompletableFuture<List<String>> repeated(TriggerEngine engine, int rounds, String sql) {
        return CompletableFuture.supplyAsync(() -> {
            List<String> outcomes = new ArrayList<>();
            TestClient client = group.client(engine);
            client.run("SET ddlrep.lock_wait = '20s'");
            for (int round = 0; round < rounds; round++) {
                outcomes.add(outcome(client, sql.replace("#", Integer.toString(round))));
            }
            return outcomes;
        });
    }

    @Test
    void ddl_of_two_engines_on_one_table_takes_turns() throws Exception {
        CompletableFuture<List<String>> first =
                repeated(group.engine(), 4, "ALTER TABLE t ADD COLUMN a# integer DEFAULT 1");
        CompletableFuture<List<String>> second =
                repeated(other, 4, "ALTER TABLE t ADD COLUMN b# integer; UPDATE t SET b# = id");
        assertThat(first.join()).containsOnly("done");
        assertThat(second.join()).containsOnly("done");
        group.assertEqualNodes();
        assertThat(group.node(3).queryText("SELECT sum(a3) + sum(b3) FROM t")).isEqualTo("65");
    }

    @Test
    void ddl_on_crossed_tables_takes_turns() throws Exception {
        CompletableFuture<List<String>> first =
                repeated(group.engine(), 3, "ALTER TABLE t ADD COLUMN x# integer; ALTER TABLE u ADD COLUMN x# integer");
        CompletableFuture<List<String>> second =
                repeated(other, 3, "ALTER TABLE u ADD COLUMN y# integer; ALTER TABLE t ADD COLUMN y# integer");
        assertThat(first.join()).isSubsetOf("done", "55P03", "40P01");
        assertThat(second.join()).isSubsetOf("done", "55P03", "40P01");
        assertThat(first.join()).contains("done");
        group.assertEqualNodes();
    }

    @Test
    void an_operation_that_waits_for_its_turn_says_for_whom() throws Exception {
        try (TestClient holder = group.client();
                TestClient waiter = group.client(other)) {
            holder.run("BEGIN; ALTER TABLE t ADD COLUMN held integer");
            waiter.run("SET ddlrep.lock_wait = '400ms'");
            ServerError error = waiter.refused("ALTER TABLE u ADD COLUMN late integer");
            assertThat(error.sqlState()).isEqualTo("55P03");
            assertThat(error.message()).contains("publication default");
            assertThat(error.detail()).contains("pid " + holder.ask("SELECT pg_backend_pid()::text"));
            waiter.run("SET ddlrep.lock_wait = '30s'");
            CompletableFuture<Void> late =
                    CompletableFuture.runAsync(() -> waiter.run("ALTER TABLE u ADD COLUMN late integer"));
            assertThat(late).isNotDone();
            holder.run("COMMIT");
            late.join();
        }
        group.run("ALTER TABLE t DROP COLUMN held");
        group.run("ALTER TABLE u DROP COLUMN late");
        group.assertEqualNodes();
    }

    @Test
    void a_wait_for_the_turn_that_closes_a_circle_of_waits_ends_at_once() throws Exception {
        try (TestClient rows = group.client();
                TestClient ddl = group.client(other)) {
            rows.run("SET ddlrep.lock_wait = '60s'");
            ddl.run("SET ddlrep.lock_wait = '60s'");
            rows.run("BEGIN; UPDATE t SET v = 'mine' WHERE id = 1");
            CompletableFuture<Void> late =
                    CompletableFuture.runAsync(() -> ddl.run("ALTER TABLE t ADD COLUMN circle integer"));
            await().atMost(LIMIT).until(() -> group.lastOperation().equals("open"));
            long began = System.nanoTime();
            ServerError error = rows.refused("ALTER TABLE u ADD COLUMN circle integer");
            assertThat(error.sqlState()).isEqualTo("40P01");
            assertThat(error.message()).contains("waits for locks of this transaction");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
            // Its transaction is aborted, locks and all, before it says ROLLBACK.
            late.join();
            rows.run("ROLLBACK");
        }
        group.run("ALTER TABLE t DROP COLUMN circle");
        group.assertEqualNodes();
    }

    @Test
    void a_second_engine_follows_what_the_first_one_does() throws Exception {
        TestClient one = group.client();
        TestClient two = group.client(other);
        one.run("CREATE TABLE shared (id integer PRIMARY KEY, v text)");
        two.run("ALTER TABLE shared ADD COLUMN w text DEFAULT 'w'");
        one.run("BEGIN; INSERT INTO shared VALUES (1, 'a'), (2, 'b'); ALTER TABLE shared DROP COLUMN v; COMMIT");
        two.run(
                "BEGIN; UPDATE shared SET w = 'two' WHERE id = 2; ALTER TABLE shared ALTER COLUMN id TYPE bigint; COMMIT");
        one.run("ALTER TABLE shared RENAME TO renamed");
        two.run("BEGIN; DELETE FROM renamed WHERE id = 1; ALTER TABLE renamed RENAME COLUMN w TO x; COMMIT");
        group.assertEqualNodes();
        assertThat(group.node(3).queryRows("SELECT id, x FROM renamed")).containsExactly("2|two");
        two.run("DROP TABLE renamed");
        assertThat(one.refused("ALTER TABLE renamed ADD COLUMN z integer").sqlState())
                .isEqualTo("42P01");
        group.assertEqualNodes();
    }

    @Test
    void a_statement_that_waited_finds_the_table_under_its_new_name() throws Exception {
        group.run("CREATE TABLE swap (id integer PRIMARY KEY, v text)");
        try (TestClient holder = group.client();
                TestClient waiter = group.client(other)) {
            holder.run("BEGIN; ALTER TABLE swap RENAME TO swapped; CREATE TABLE swap (n bigint PRIMARY KEY)");
            CompletableFuture<Void> late =
                    CompletableFuture.runAsync(() -> waiter.run("ALTER TABLE swap ADD COLUMN late integer"));
            // It plans, and then waits for its turn.
            await().atMost(LIMIT)
                    .until(() -> "t"
                            .equals(group.origin()
                                    .queryText(
                                            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()"
                                                    + " AND application_name = 'ddlrep service' AND query LIKE '%pg_try_advisory_lock%'"
                                                    + " AND pid <> pg_backend_pid())")));
            holder.run("INSERT INTO swap VALUES (5); COMMIT");
            late.join();
        }
        group.origin().execute("UPDATE swap SET late = 1", "INSERT INTO swapped VALUES (1, 'x')");
        group.assertEqualNodes();
        assertThat(group.node(2).queryRows("SELECT n, late FROM swap")).containsExactly("5|1");
        group.run("DROP TABLE swap, swapped");
    }

    @Test
    void a_client_that_closes_in_the_middle_leaves_nothing() throws Exception {
        Map<String, List<String>> before = group.state();
        TestClient client = group.client(other);
        client.run("BEGIN; ALTER TABLE t ADD COLUMN gone integer; UPDATE t SET gone = 1");
        client.close();
        await().atMost(LIMIT).until(() -> group.lastOperation().equals("rolled_back"));
        group.assertUnchanged(before);
        group.run("ALTER TABLE t ADD COLUMN gone integer; ALTER TABLE t DROP COLUMN gone");
        group.assertEqualNodes();
    }
}
