package io.ddlrep.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.TestkitException;
import io.ddlrep.testkit.proxy.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadGeneratorIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private PgGroup group;
    private PgNode node;

    @BeforeEach
    void open() throws SQLException {
        group = PgGroup.create("load", 1);
        node = group.node(1);
        node.execute("CREATE TABLE t (id int PRIMARY KEY, v text)", "CREATE TABLE ledger (n bigint)");
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void every_acknowledged_commit_is_in_the_table() throws SQLException {
        LoadGenerator load = LoadPlan.of(3, 1)
                .add(
                        1,
                        session -> session.execute(
                                "INSERT INTO ledger VALUES (?)",
                                session.random().nextLong()))
                .start(node::connect);
        load.awaitCommits(200, LIMIT);
        load.awaitCommits(200, LIMIT);
        LoadReport report = load.stop();
        assertThat(report.commits()).isGreaterThanOrEqualTo(400);
        assertThat(report.errors()).isEmpty();
        assertThat(node.queryText("SELECT count(*) FROM ledger")).isEqualTo(Long.toString(report.commits()));
    }

    @Test
    void transactions_run_in_proportion_to_their_weights() throws SQLException {
        TableWork work = TableWork.on("t");
        LoadGenerator load = LoadPlan.of(2, 2)
                .add(8, work.insert())
                .add(1, work.update())
                .add(1, work.delete())
                .start(node::connect);
        load.awaitCommits(500, LIMIT);
        LoadReport report = load.stop();
        assertThat(report.errors()).isEmpty();
        long rows = Long.parseLong(String.valueOf(node.queryText("SELECT count(*) FROM t")));
        assertThat(rows).isGreaterThan(report.commits() / 2);
    }

    @Test
    void one_writer_with_the_same_seed_does_the_same() throws SQLException {
        String first = valuesOf(7);
        String again = valuesOf(7);
        assertThat(again).isEqualTo(first).isNotEqualTo(valuesOf(8));
    }

    private String valuesOf(long seed) throws SQLException {
        node.execute("TRUNCATE ledger");
        try (LoadGenerator load = LoadPlan.of(1, seed)
                .add(
                        1,
                        session -> session.execute(
                                "INSERT INTO ledger VALUES (?)",
                                session.random().nextLong()))
                .start(node::connect)) {
            load.awaitCommits(20, LIMIT);
        }
        return node.queryRows("SELECT n FROM ledger ORDER BY ctid LIMIT 20").toString();
    }

    @Test
    void the_longest_wait_covers_the_interval_in_which_writers_were_locked_out() throws SQLException {
        // One writer: when it commits again, no statement of the interval can still be running.
        try (LoadGenerator load =
                LoadPlan.of(1, 3).add(1, TableWork.on("t").insert()).start(node::connect)) {
            load.awaitCommits(50, LIMIT);
            long before = System.nanoTime();
            try (Connection connection = node.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("BEGIN; LOCK TABLE t");
                statement.execute("SELECT pg_sleep(0.5)");
                assertThat(load.longestWaitSince(before))
                        .as("of statements that still run")
                        .isGreaterThan(Duration.ofMillis(400));
                statement.execute("COMMIT");
            }
            load.awaitCommits(50, LIMIT);
            long after = System.nanoTime();
            load.awaitCommits(50, LIMIT);
            assertThat(load.longestWaitBetween(before, after)).isGreaterThan(Duration.ofMillis(400));
            assertThat(load.longestWaitSince(after)).isLessThan(load.longestWaitBetween(before, after));
        }
    }

    @Test
    void failed_transactions_are_counted_by_sqlstate_and_writers_go_on() throws SQLException {
        LoadGenerator load = LoadPlan.of(2, 4)
                .add(1, TableWork.on("t").insert())
                .add(1, session -> session.execute("SELECT 1 / 0"))
                .start(node::connect);
        load.awaitCommits(50, LIMIT);
        assertThat(load.stop().errors()).containsOnlyKeys("22012");
    }

    @Test
    void writers_reconnect_after_the_network_was_cut() throws SQLException {
        try (FaultProxy proxy = FaultProxy.before(node)) {
            LoadGenerator load =
                    LoadPlan.of(3, 5).add(1, TableWork.on("t").insert()).start(proxy.node()::connect);
            load.awaitCommits(50, LIMIT);
            proxy.refuse();
            proxy.cut();
            assertThatThrownBy(() -> load.awaitCommits(100_000, Duration.ofMillis(300)))
                    .isInstanceOf(TestkitException.class);
            proxy.accept();
            load.awaitCommits(50, LIMIT);
            assertThat(load.stop().errors().keySet()).allMatch(state -> state.startsWith("08"));
        }
    }
}
