package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicatorIT {
    private RowsGroup group;
    private Replicator replicator;

    @BeforeEach
    void create() throws SQLException {
        group = RowsGroup.create("replicator", 3);
        group.replicate(
                "CREATE TABLE t (id int PRIMARY KEY, u int UNIQUE, v text);"
                        + "CREATE TABLE bag (v text, n int);"
                        + "CREATE TABLE p (id int, d int, v text, PRIMARY KEY (id, d)) PARTITION BY RANGE (d);"
                        + "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (50);"
                        + "CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (50) TO (100)",
                "t",
                "bag",
                "p");
        replicator = new Replicator(
                group.substrate(),
                group.access(),
                "n1",
                Replicator.controlSchema(group.access(), "n1"),
                new Replicator.Pace(Duration.ofMillis(2), Duration.ofMillis(10), Duration.ofMillis(100)));
        replicator.start();
    }

    @AfterEach
    void close() {
        replicator.close();
        group.close();
    }

    private void awaitEqual(String... tables) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> group.assertEqual(tables));
    }

    private String state(String replica) throws SQLException {
        return Objects.requireNonNull(
                group.origin().queryText("SELECT state FROM ddlrep.publication_node WHERE node = '" + replica + "'"));
    }

    @Test
    void a_random_mix_of_concurrent_writers_ends_equal_everywhere() {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SplittableRandom random = new SplittableRandom(4711 + i);
            writers.add(CompletableFuture.runAsync(() -> writeForAWhile(random)));
        }
        writers.forEach(CompletableFuture::join);
        awaitEqual("t", "bag", "p1", "p2");
        assertThat(replicator.status())
                .hasSize(2)
                .allSatisfy(status -> assertThat(status.state()).isEqualTo(ReplicaStatus.State.CURRENT))
                .allSatisfy(status -> assertThat(status.rows()).isPositive());
    }

    private void writeForAWhile(SplittableRandom random) {
        try (Connection connection = group.origin().connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 150; i++) {
                try {
                    statement.execute("BEGIN");
                    int changes = random.nextInt(1, 6);
                    for (int c = 0; c < changes; c++) {
                        statement.execute("SAVEPOINT s");
                        try {
                            statement.execute(change(random));
                        } catch (SQLException e) {
                            statement.execute("ROLLBACK TO s");
                        }
                        statement.execute("RELEASE s");
                    }
                    statement.execute(random.nextInt(10) == 0 ? "ROLLBACK" : "COMMIT");
                } catch (SQLException deadlock) {
                    statement.execute("ROLLBACK");
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String change(SplittableRandom random) {
        int id = random.nextInt(60);
        int other = random.nextInt(60);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 ->
                "INSERT INTO t VALUES (" + id + ", " + other + ", 'i') ON CONFLICT (id) DO UPDATE SET v = t.v || 'u'";
            case 3 -> "UPDATE t SET id = " + other + " WHERE id = " + id;
            case 4 -> "UPDATE t SET u = " + other + " WHERE id = " + id;
            case 5 -> "DELETE FROM t WHERE id BETWEEN " + id + " AND " + (id + 3);
            case 6 -> "INSERT INTO bag VALUES ('" + id % 5 + "', " + id % 3 + ")";
            case 7 -> "DELETE FROM bag WHERE ctid = (SELECT ctid FROM bag WHERE n = " + id % 3 + " LIMIT 1)";
            case 8 -> "UPDATE bag SET n = n + 1 WHERE v = '" + id % 5 + "' AND n < 9";
            case 9 -> "INSERT INTO p VALUES (" + id + ", " + other + ", 'p') ON CONFLICT DO NOTHING";
            case 10 -> "UPDATE p SET d = (d + 37) % 100, v = v || 'm' WHERE id = " + id;
            default -> random.nextInt(20) == 0 ? "TRUNCATE p1" : "DELETE FROM p WHERE id = " + id;
        };
    }

    @Test
    void changes_that_every_replica_has_are_purged() throws SQLException {
        group.write("INSERT INTO t SELECT g, g, 'x' FROM generate_series(1, 5000) g", "UPDATE t SET v = 'y'");
        awaitEqual("t");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(group.origin().queryText("SELECT count(*) FROM ddlrep_shadow.s1_1"))
                        .isEqualTo("0"));
        await().untilAsserted(
                        () -> assertThat(Integer.parseInt(group.origin().queryText("SELECT count(*) FROM ddlrep.tick")))
                                .isLessThan(5));
        group.write("UPDATE t SET v = 'z' WHERE id < 100");
        awaitEqual("t");
    }

    @Test
    void rows_changed_on_a_replica_make_it_dirty_and_the_others_go_on() throws SQLException {
        group.write("INSERT INTO t SELECT g, g, 'x' FROM generate_series(1, 10) g");
        awaitEqual("t");
        PgNode broken = group.replicas().get(0);
        broken.execute("SET session_replication_role = replica; DELETE FROM t WHERE id = 5");
        group.write("DELETE FROM t WHERE id = 5");
        await().untilAsserted(() -> assertThat(state("n2")).isEqualTo("dirty"));
        assertThat(group.origin().queryText("SELECT reason FROM ddlrep.publication_node WHERE node = 'n2'"))
                .contains("rows of public.t on node n2 are not those of the origin")
                .contains("inserted 0 and deleted 0");
        assertThat(state("n3")).isEqualTo("active");
        group.write("INSERT INTO t VALUES (11, 11, 'more')");
        await().untilAsserted(() -> assertThat(group.replicas().get(1).queryText("SELECT count(*) FROM t"))
                .as(() -> replicator.status().toString())
                .isEqualTo("10"));
        assertThat(broken.queryText("SELECT count(*) FROM t")).isEqualTo("9");
    }

    @Test
    void an_origin_that_lost_history_is_noticed() throws SQLException {
        group.write("INSERT INTO t VALUES (1, 1, 'x')");
        awaitEqual("t");
        group.replicas().get(0).execute("UPDATE ddlrep.subscription SET token = gen_random_uuid()");
        group.write("INSERT INTO t VALUES (2, 2, 'x')");
        await().untilAsserted(() -> assertThat(state("n2")).isEqualTo("dirty"));
        assertThat(group.origin().queryText("SELECT reason FROM ddlrep.publication_node WHERE node = 'n2'"))
                .contains("origin lost history");
    }

    @Test
    void a_transaction_that_stays_open_after_its_last_change_is_noticed_when_it_commits() throws SQLException {
        try (Connection connection = group.origin().connect();
                Statement statement = connection.createStatement()) {
            for (int i = 1; i <= 20; i++) {
                statement.execute(
                        "BEGIN; INSERT INTO t VALUES (" + i + ", " + i + ", 'slow'); SELECT pg_sleep(0.02); COMMIT");
                awaitEqual("t");
            }
        }
    }

    @Test
    void a_paused_replica_rests_and_goes_on_from_where_it_was() throws SQLException {
        group.write("UPDATE ddlrep.publication_node SET state = 'paused' WHERE node = 'n2'");
        await().untilAsserted(() -> assertThat(replicator.status())
                .anySatisfy(s -> assertThat(s.state()).isEqualTo(ReplicaStatus.State.PAUSED)));
        group.write("INSERT INTO t SELECT g, g, 'x' FROM generate_series(1, 10) g");
        await().untilAsserted(() -> assertThat(group.replicas().get(1).queryText("SELECT count(*) FROM t"))
                .isEqualTo("10"));
        assertThat(group.replicas().get(0).queryText("SELECT count(*) FROM t")).isEqualTo("0");
        group.write("UPDATE ddlrep.publication_node SET state = 'active' WHERE node = 'n2'");
        awaitEqual("t");
    }
}
