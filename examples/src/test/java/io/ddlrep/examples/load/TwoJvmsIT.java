package io.ddlrep.examples.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.gateway.cli.Main;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two applications in processes of their own send DDL at the same time, on the same and on crossed tables. */
class TwoJvmsIT {
    private static final int ROUNDS = Integer.getInteger("ddlrep.load.rounds", 6);
    private static final long LOCK_WAIT_MILLIS = 15_000;
    /** What an operation takes besides its waits, on a machine that does much else. */
    private static final long WORK_MILLIS = 20_000;

    private static final List<String> ALLOWED = List.of("done", "55P03", "40P01");

    private static PgGroup group;
    private static Jvm first;
    private static Jvm second;

    @BeforeAll
    static void start() throws IOException, SQLException {
        group = PgGroup.create("two_jvms");
        group.executeOnAll(
                "CREATE TABLE t1 (id integer PRIMARY KEY, v text)",
                "CREATE TABLE t2 (id integer PRIMARY KEY, v text)",
                "CREATE TABLE parent (id integer PRIMARY KEY, v text)",
                "CREATE TABLE child (id integer PRIMARY KEY, parent_id integer, v text)",
                "CREATE TABLE other (id integer PRIMARY KEY, t1_id integer, v text)");
        for (PgNode node : group.nodes()) {
            for (String table : List.of("t1", "t2", "parent")) {
                node.execute("INSERT INTO " + table + " SELECT g, 'v' FROM generate_series(1, 20) g");
            }
            node.execute(
                    "INSERT INTO child SELECT g, g, 'v' FROM generate_series(1, 20) g",
                    "INSERT INTO other SELECT g, g, 'v' FROM generate_series(1, 20) g");
        }
        command(
                "init",
                "--replica",
                "n2=" + group.node(2).conninfo(),
                "--replica",
                "n3=" + group.node(3).conninfo(),
                "--scope",
                "tables",
                "--table",
                "t1",
                "--table",
                "t2",
                "--table",
                "parent",
                "--table",
                "child");
        command("publication", "create", "second", "--table", "other");
        String properties = "lockWait=" + LOCK_WAIT_MILLIS + "ms";
        first = new Jvm(group.node(1), properties);
        second = new Jvm(group.node(1), properties);
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        first.close();
        second.close();
        group.close();
    }

    private static void command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--origin");
        all.add(group.node(1).conninfo());
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        assertThat(Main.run(out, out, all.toArray(String[]::new)))
                .as(said::toString)
                .isZero();
    }

    /** Both at once; gives what came of them. */
    private static List<String> both(String how, String one, String two) throws SQLException {
        CompletableFuture<Jvm.Outcome> a = first.ask(how, one);
        CompletableFuture<Jvm.Outcome> b = second.ask(how, two);
        List<String> states = new ArrayList<>();
        for (Jvm.Outcome outcome : List.of(a.join(), b.join())) {
            assertThat(outcome.state()).as(outcome.text()).isIn(ALLOWED);
            assertThat(outcome.millis()).isLessThan(LOCK_WAIT_MILLIS + WORK_MILLIS);
            states.add(outcome.state());
        }
        assertNothingLeft();
        return states;
    }

    /** Nodes are equal, and nothing of an operation is left: no transaction, no lock, nothing in doubt. */
    private static void assertNothingLeft() throws SQLException {
        command("sync", "--wait");
        command("verify");
        for (PgNode node : group.nodes()) {
            assertThat(node.queryRows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"))
                    .isEmpty();
            assertThat(node.queryRows("SELECT pid, application_name, state, query FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                            + " AND backend_type = 'client backend' AND xact_start IS NOT NULL"))
                    .isEmpty();
            // Of clients and of prepared transactions: an autovacuum comes and goes as it likes.
            assertThat(node.queryRows("SELECT l.pid, l.mode, l.relation::regclass FROM pg_locks l WHERE l.database ="
                            + " (SELECT oid FROM pg_database WHERE datname = current_database())"
                            + " AND l.pid IS DISTINCT FROM pg_backend_pid() AND l.locktype IN ('relation', 'advisory')"
                            + " AND (l.pid IS NULL OR EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = l.pid"
                            + " AND a.backend_type = 'client backend'))"))
                    .isEmpty();
        }
        assertThat(group.node(1)
                        .queryRows("SELECT op, state, result FROM ddlrep.ddl_operation"
                                + " WHERE state NOT IN ('committed', 'rolled_back')"))
                .isEmpty();
        assertThat(group.node(1).queryRows("SELECT node, reason FROM ddlrep.publication_node WHERE state <> 'active'"))
                .isEmpty();
    }

    @Test
    void ddl_on_the_same_table_takes_turns() throws SQLException {
        int done = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<String> states = both(
                    "s",
                    "ALTER TABLE t1 ADD COLUMN a" + round + " integer DEFAULT 1",
                    "ALTER TABLE t1 ADD COLUMN b" + round + " integer; UPDATE t1 SET b" + round + " = id");
            done += (int) states.stream().filter("done"::equals).count();
        }
        // Nobody else holds anything: waiting its turn is enough.
        assertThat(done).isEqualTo(2 * ROUNDS);
        assertThat(group.node(3).queryText("SELECT sum(a0) + sum(b" + (ROUNDS - 1) + ") FROM t1"))
                .isEqualTo("230");
    }

    @Test
    void ddl_on_crossed_tables_takes_turns() throws SQLException {
        int done = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<String> states = both(
                    "t",
                    "ALTER TABLE t1 ADD COLUMN x" + round + " text;UPDATE t2 SET v = 'x';ALTER TABLE t2 ADD COLUMN x"
                            + round + " text",
                    "ALTER TABLE t2 ADD COLUMN y" + round + " text;UPDATE t1 SET v = 'y';ALTER TABLE t1 ADD COLUMN y"
                            + round + " text");
            done += (int) states.stream().filter("done"::equals).count();
        }
        assertThat(done).isEqualTo(2 * ROUNDS);
    }

    @Test
    void rows_written_before_ddl_in_crossed_order_end_in_a_deadlock_or_a_turn() throws SQLException {
        int done = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<String> states = both(
                    "t",
                    "UPDATE t1 SET v = 'p' WHERE id = 1;ALTER TABLE t2 ADD COLUMN p" + round + " text",
                    "UPDATE t2 SET v = 'q' WHERE id = 1;ALTER TABLE t1 ADD COLUMN q" + round + " text");
            assertThat(states).contains("done");
            done += (int) states.stream().filter("done"::equals).count();
        }
        assertThat(done).isBetween(ROUNDS, 2 * ROUNDS);
    }

    @Test
    void ddl_on_both_ends_of_a_foreign_key_takes_turns() throws SQLException {
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(both(
                            "s",
                            "ALTER TABLE child ADD CONSTRAINT fk" + round
                                    + " FOREIGN KEY (parent_id) REFERENCES parent ON UPDATE CASCADE",
                            "ALTER TABLE parent ALTER COLUMN id TYPE " + (round % 2 == 0 ? "bigint" : "integer")))
                    .contains("done");
            assertThat(both(
                            "t",
                            "UPDATE parent SET id = id + 100;ALTER TABLE child DROP CONSTRAINT IF EXISTS fk" + round,
                            "ALTER TABLE parent ADD COLUMN c" + round + " text;DELETE FROM child WHERE id = "
                                    + (round + 1)))
                    .contains("done");
        }
    }

    @Test
    void two_publications_go_side_by_side_and_a_foreign_key_between_them_holds_both() throws SQLException {
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(both(
                            "s",
                            "ALTER TABLE t1 ADD COLUMN one" + round + " text",
                            "ALTER TABLE other ADD COLUMN two" + round + " text"))
                    .containsOnly("done");
            assertThat(both(
                            "s",
                            "ALTER TABLE other ADD CONSTRAINT fk" + round + " FOREIGN KEY (t1_id) REFERENCES t1",
                            "ALTER TABLE t1 ADD COLUMN three" + round + " text"))
                    .containsOnly("done");
            assertThat(both(
                            "s",
                            "ALTER TABLE other DROP CONSTRAINT fk" + round,
                            "ALTER TABLE t1 DROP COLUMN three" + round))
                    .contains("done");
        }
    }

    @Test
    void rows_of_another_publication_travel_once_and_not_with_the_ddl() throws SQLException {
        assertThat(first.ask("t", "INSERT INTO other VALUES (900, 1, 'once');ALTER TABLE t2 ADD COLUMN beside integer")
                        .join()
                        .state())
                .isEqualTo("done");
        assertNothingLeft();
        for (PgNode node : group.nodes()) {
            assertThat(node.queryRows("SELECT v FROM other WHERE id = 900")).containsExactly("once");
        }
    }

    @Test
    void a_jvm_that_was_open_all_the_time_sees_new_tables_and_shapes() throws SQLException {
        String query = "SELECT * FROM t2 WHERE id = 3";
        assertThat(second.ask("q", query).join().text()).contains("id=3");
        for (int round = 0; round < 3; round++) {
            assertThat(first.ask("s", "ALTER TABLE t2 ADD COLUMN seen" + round + " integer DEFAULT " + round)
                            .join()
                            .state())
                    .isEqualTo("done");
            assertThat(second.ask("q", query).join().text()).contains("seen" + round + "=" + round);
        }
        first.ask("s", "ALTER TABLE t2 RENAME COLUMN seen0 TO renamed").join();
        first.ask("s", "ALTER TABLE t2 ALTER COLUMN seen1 TYPE text USING 'now ' || seen1")
                .join();
        assertThat(second.ask("q", query).join().text()).contains("renamed=0").contains("seen1=now 1");
        // Its own DDL goes by what is there now.
        assertThat(second.ask("t", "INSERT INTO t2 (id, renamed) VALUES (500, 1);ALTER TABLE t2 DROP COLUMN renamed")
                        .join()
                        .state())
                .isEqualTo("done");
        assertThat(first.ask("q", query).join().text()).doesNotContain("renamed");
        assertNothingLeft();
    }
}
