package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.proxy.FaultProxy;
import io.ddlrep.testkit.proxy.Hold;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways in which a plausible protocol would lose rows or split an outcome; docs/faults.md lists them all. */
class ProtocolFaultsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String OWNER = "ddlrep_test_faults";

    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("faults");
        for (int node = 1; node <= 3; node++) {
            group.local(
                    node,
                    "CREATE ROLE " + OWNER + " LOGIN PASSWORD 'x'",
                    "GRANT CREATE ON SCHEMA public TO " + OWNER,
                    "CREATE SCHEMA aside AUTHORIZATION " + OWNER);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (int node = 1; node <= 3; node++) {
            group.local(node, "DROP OWNED BY " + OWNER + " CASCADE", "DROP ROLE " + OWNER);
        }
        group.close();
    }

    @BeforeEach
    void fill() throws Exception {
        group.run("DROP TABLE IF EXISTS t CASCADE");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 3) g");
        group.synchronize();
    }

    private static TestClient owner(TriggerEngine engine) {
        return group.client(engine, group.origin(), new Credentials(OWNER, "x"));
    }

    @Test
    void a_prepare_that_lands_after_its_operation_got_a_result_is_rolled_back() throws Exception {
        String late = "00000000000000aa";
        group.origin()
                .execute(
                        "INSERT INTO ddlrep.ddl_operation SELECT (jsonb_populate_record(o, '{\"op\": \"" + late
                                + "\", \"state\": \"rolled_back\"}')).* FROM ddlrep.ddl_operation o ORDER BY started DESC LIMIT 1");
        String group2 = group.node(2).queryText("SELECT group_id FROM ddlrep.self");
        String preparer = group.node(2)
                .queryText("SELECT rolname FROM pg_roles WHERE rolname LIKE 'ddlrep\\_prepare\\_%' LIMIT 1");
        group.node(2)
                .execute("BEGIN; LOCK TABLE t; SET ROLE " + preparer + "; PREPARE TRANSACTION 'ddlrep:" + group2
                        + ":n2:" + late + "'");
        assertThat(group.recover().clean()).isTrue();
        assertThat(group.node(2).queryRows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"))
                .isEmpty();
        group.origin().execute("DELETE FROM ddlrep.ddl_operation WHERE op = '" + late + "'");
    }

    @Test
    void what_an_ordinary_user_prepared_is_finished_by_recovery() throws Exception {
        FaultProxy proxy = group.closing(FaultProxy.before(group.node(2)));
        TestClient client = owner(group.openEngine(proxy.node()));
        client.run("CREATE TABLE aside.mine (id integer PRIMARY KEY)");
        client.run("BEGIN; ALTER TABLE aside.mine ADD COLUMN x integer; INSERT INTO aside.mine VALUES (1, 1)");
        Hold hold = proxy.holdWhen(m -> m.contains("COMMIT PREPARED"));
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> client.run("COMMIT"));
        hold.await(LIMIT);
        assertThat(group.node(2)
                        .queryText("SELECT r.rolsuper FROM pg_prepared_xacts x JOIN pg_roles r ON r.rolname = x.owner"
                                + " WHERE x.database = current_database()"))
                .isEqualTo("f");
        proxy.cut();
        commit.join();
        assertThat(group.recover().clean()).isTrue();
        group.assertEqualNodes();
        assertThat(group.node(2).queryRows("SELECT * FROM aside.mine")).containsExactly("1|1");
        group.run("DROP TABLE aside.mine");
    }

    @Test
    void nodes_that_share_a_server_prepare_under_names_of_their_own() throws Exception {
        try (TestGroup one = TestGroup.on(PgGroup.sharing("faults_one", 1, 3))) {
            one.run("CREATE TABLE t (id integer PRIMARY KEY)");
            one.run("ALTER TABLE t ADD COLUMN x serial; INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN y integer");
            one.assertEqualNodes();
            assertThat(one.node(3).queryRows("SELECT id, x FROM t")).containsExactly("1|1");
        }
    }

    @Test
    void who_waits_for_our_row_and_holds_our_table_is_the_deadlock_that_one_server_would_see() throws Exception {
        try (TestClient client = group.client();
                NodeSession waiter = group.session(group.origin());
                NodeSession watch = group.session(group.origin())) {
            client.run("BEGIN; UPDATE t SET v = 'mine' WHERE id = 1");
            String pid =
                    waiter.query("SELECT pg_backend_pid()::text AS pid").get(0).text("pid");
            CompletableFuture<Void> waits =
                    CompletableFuture.runAsync(() -> waiter.execute("UPDATE t SET v = v || ' theirs' WHERE id = 1"));
            // Its own look for deadlocks is over: nobody but us will find this one.
            await().atMost(LIMIT)
                    .until(() -> watch.query(
                                            "SELECT FROM pg_locks WHERE NOT granted AND pid = $1::int"
                                                    + " AND waitstart < clock_timestamp() - interval '1500 ms'",
                                            pid)
                                    .size()
                            == 1);
            long began = System.nanoTime();
            assertThat(client.refused("ALTER TABLE t ADD COLUMN x integer").sqlState())
                    .isEqualTo("40P01");
            // ddlrep.lock_wait is two minutes.
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
            client.run("ROLLBACK");
            waits.join();
        }
        group.assertEqualNodes();
        assertThat(group.node(3).queryText("SELECT v FROM t WHERE id = 1")).isEqualTo("v theirs");
    }

    @Test
    void rows_of_others_and_own_rows_of_the_same_keys_neither_overtake_nor_wait_for_each_other() throws Exception {
        group.run("CREATE TABLE other (id integer PRIMARY KEY)");
        TestClient client = group.client();
        client.run("SET ddlrep.lock_wait = '20s'; BEGIN; ALTER TABLE other ADD COLUMN a integer");
        group.origin().execute("UPDATE t SET v = 'theirs' WHERE id IN (1, 2)");
        client.run("UPDATE t SET v = v || ' then mine' WHERE id = 1; ALTER TABLE other ADD COLUMN b integer");
        // The companions hold row 1 now.
        group.origin().execute("UPDATE t SET v = v || ' again' WHERE id IN (2, 3)");
        client.run(
                "UPDATE t SET v = v || ' at last' WHERE id IN (1, 3); ALTER TABLE other ADD COLUMN c integer; COMMIT");
        group.assertEqualNodes();
        assertThat(group.node(2).queryRows("SELECT v FROM t ORDER BY id"))
                .containsExactly("theirs then mine at last", "theirs again", "v again at last");
        group.run("DROP TABLE other");
    }

    @Test
    void a_parent_that_gets_its_row_late_is_drained_before_its_foreign_key_is_checked() throws Exception {
        group.run("CREATE TABLE kid (id integer PRIMARY KEY, t integer)");
        group.origin().execute("INSERT INTO kid VALUES (1, 7)");
        group.synchronize();
        group.origin().execute("INSERT INTO t VALUES (7, 'late')");
        group.run("ALTER TABLE kid ADD FOREIGN KEY (t) REFERENCES t");
        group.assertEqualNodes();
        TestClient client = group.client();
        client.run("BEGIN ISOLATION LEVEL REPEATABLE READ; INSERT INTO kid VALUES (2, 7)");
        group.origin().execute("INSERT INTO t VALUES (9, 'later')");
        client.run("ALTER TABLE kid ADD COLUMN x integer REFERENCES t; UPDATE kid SET x = 7; COMMIT");
        group.run("DROP TABLE kid");
        group.assertEqualNodes();
    }

    @Test
    void a_writer_that_is_open_across_ddl_with_a_weak_lock_loses_nothing() throws Exception {
        try (NodeSession writer = group.session(group.origin());
                TestClient client = group.client()) {
            writer.execute("BEGIN");
            writer.execute("INSERT INTO t VALUES (10, 'before')");
            client.run("SET ddlrep.ddl_change_table_lock = off; ALTER TABLE t ALTER COLUMN v SET STATISTICS 50");
            writer.execute("INSERT INTO t VALUES (11, 'after')");
            writer.execute("COMMIT");
            group.assertEqualNodes();
            assertThat(group.node(2).queryText("SELECT count(*) FROM t WHERE id >= 10"))
                    .isEqualTo("2");
        }
    }

    @Test
    void a_partition_is_attached_while_a_writer_is_open_on_the_parent() throws Exception {
        group.run("CREATE TABLE parts (id integer PRIMARY KEY) PARTITION BY RANGE (id)");
        group.run("CREATE TABLE part0 PARTITION OF parts FOR VALUES FROM (0) TO (10)");
        group.run("CREATE TABLE part1 (id integer PRIMARY KEY)");
        group.origin().execute("INSERT INTO part1 VALUES (15)");
        try (NodeSession writer = group.session(group.origin());
                TestClient client = group.client()) {
            writer.execute("BEGIN");
            writer.execute("INSERT INTO parts VALUES (1)");
            CompletableFuture<Void> attach = CompletableFuture.runAsync(
                    () -> client.run("ALTER TABLE parts ATTACH PARTITION part1 FOR VALUES FROM (10) TO (20)"));
            await().atMost(LIMIT).until(() -> group.lastOperation().equals("open") || attach.isDone());
            writer.execute("INSERT INTO parts VALUES (2)");
            writer.execute("COMMIT");
            attach.join();
        }
        group.origin().execute("INSERT INTO parts VALUES (16)");
        group.assertEqualNodes();
        assertThat(group.node(2).queryText("SELECT count(*) FROM parts")).isEqualTo("4");
        group.run("DROP TABLE parts");
    }

    @Test
    void values_that_a_domain_or_a_type_no_longer_allows_stand_in_no_ones_way() throws Exception {
        TestClient client = group.client();
        client.run("CREATE DOMAIN pos AS integer NOT NULL; CREATE TYPE mood AS ENUM ('a', 'b');"
                + " CREATE TABLE d (id integer PRIMARY KEY, v pos, m mood)");
        group.origin()
                .execute("INSERT INTO d VALUES (1, -5, 'a')", "UPDATE d SET v = 5", "INSERT INTO d VALUES (2, 1, 'b')");
        group.origin().execute("DELETE FROM d WHERE id = 2");
        // What was captured and not yet applied holds -5, and only the key of the row that went.
        client.run("ALTER DOMAIN pos ADD CHECK (VALUE > 0); ALTER TABLE d DROP COLUMN m; DROP TYPE mood");
        group.assertEqualNodes();
        client.run("CREATE TABLE adr (street text); CREATE TABLE cu (id integer PRIMARY KEY, a adr);"
                + " INSERT INTO cu VALUES (1, ROW('x')); ALTER TABLE cu DROP COLUMN a; ALTER TABLE adr ADD COLUMN zip text;"
                + " DROP TABLE d, cu, adr; DROP DOMAIN pos");
        group.assertEqualNodes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERIALIZABLE", "READ COMMITTED"})
    void a_transaction_that_only_reads_is_refused_as_by_one_server(String isolation) throws Exception {
        Map<String, List<String>> before = group.state();
        ServerError error = group.client()
                .refused("BEGIN ISOLATION LEVEL " + isolation + " READ ONLY; ALTER TABLE t ADD COLUMN x integer");
        assertThat(error.sqlState()).as(error.toString()).isEqualTo("25006");
        group.assertUnchanged(before);
    }

    @Test
    void settings_mean_the_same_on_every_node_wherever_they_come_from() throws Exception {
        group.origin()
                .execute(
                        "ALTER ROLE " + OWNER + " SET search_path = aside, public",
                        "ALTER ROLE " + OWNER + " SET intervalstyle = 'sql_standard'",
                        "ALTER ROLE " + OWNER + " SET ddlrep.lock_wait = '300ms'",
                        "ALTER ROLE " + OWNER + " SET idle_in_transaction_session_timeout = '400s'");
        TestClient client = owner(group.engine());
        client.run(
                "SET datestyle = 'ISO, DMY'; CREATE TABLE here (id integer PRIMARY KEY, d text); INSERT INTO here VALUES (1, '03/04/2020');"
                        + " ALTER TABLE here ALTER COLUMN d TYPE date USING d::date;"
                        + " ALTER TABLE here ADD COLUMN e interval DEFAULT '-1 2:03:04'");
        group.assertEqualNodes();
        assertThat(group.node(2).queryRows("SELECT d::text, e::text FROM aside.here"))
                .containsExactly("2020-04-03|-1 days -02:03:04");
        try (NodeSession reader = group.session(group.node(3))) {
            reader.execute("BEGIN");
            reader.query("SELECT * FROM aside.here");
            ServerError error = client.refused("ALTER TABLE here ADD COLUMN f integer");
            assertThat(error.sqlState()).isEqualTo("55P03");
            assertThat(error.message()).contains("300 ms");
        }
        client.run("DROP TABLE here");
        group.origin().execute("ALTER ROLE " + OWNER + " RESET ALL");
    }

    @Test
    void an_audit_of_ddl_by_event_triggers_on_every_node_writes_each_row_once() throws Exception {
        group.run("CREATE TABLE audit (n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tag text)");
        for (int node = 1; node <= 3; node++) {
            group.local(
                    node,
                    "CREATE FUNCTION audit() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN"
                            + " IF tg_tag = 'ALTER TABLE' AND session_user <> 'ddlrep_apply' THEN"
                            + " INSERT INTO public.audit (tag) VALUES (current_query()); END IF; END $$",
                    "CREATE EVENT TRIGGER audit ON ddl_command_end EXECUTE FUNCTION audit()");
        }
        group.run("ALTER TABLE t ADD COLUMN x integer");
        group.synchronize();
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryText("SELECT count(*) FROM audit WHERE tag LIKE 'ALTER TABLE t ADD%'"))
                    .as("audit on %s", node.name())
                    .isEqualTo("1");
        }
        for (int node = 1; node <= 3; node++) {
            group.local(node, "DROP EVENT TRIGGER audit", "DROP FUNCTION audit()");
        }
        group.run("DROP TABLE audit");
        group.assertEqualNodes();
    }

    @Test
    void relations_that_take_no_lock_table_change_too() throws Exception {
        group.run("CREATE MATERIALIZED VIEW mv AS SELECT 1 AS one WITH NO DATA; CREATE SEQUENCE sq");
        group.run(
                "ALTER MATERIALIZED VIEW mv RENAME TO mv2; ALTER SEQUENCE sq INCREMENT 5; ALTER SEQUENCE sq RENAME TO sq2");
        group.assertEqualNodes();
        group.run("DROP MATERIALIZED VIEW mv2; DROP SEQUENCE sq2");
        group.assertEqualNodes();
    }

    @Test
    void a_recovery_that_was_first_keeps_the_client_from_committing() throws Exception {
        Map<String, List<String>> before = group.state();
        try (TestClient client = group.client()) {
            client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer");
            String op = Objects.requireNonNull(
                    group.origin().queryText("SELECT op FROM ddlrep.ddl_operation WHERE state = 'open'"));
            group.origin()
                    .execute("INSERT INTO ddlrep.decision (op, outcome, xid, last_carried_seq) VALUES ('" + op
                            + "', 'abort', pg_current_xact_id(), 0)");
            assertThat(client.refused("COMMIT").sqlState()).isEqualTo("23505");
        }
        group.assertUnchanged(before);
        group.run("ALTER TABLE t ADD COLUMN x integer");
        group.assertEqualNodes();
    }

    @Test
    void recovery_waits_for_a_client_that_is_deciding_and_then_takes_its_word() throws Exception {
        FaultProxy proxy = group.closing(FaultProxy.before(group.node(2)));
        TestClient client = group.client(group.openEngine(proxy.node()));
        client.run("BEGIN; ALTER TABLE t ADD COLUMN x integer DEFAULT 1");
        // Its decision row is written, and not committed.
        Hold prepare = proxy.holdWhen(m -> m.contains("PREPARE TRANSACTION"));
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> client.run("COMMIT"));
        prepare.await(LIMIT);
        String op = Objects.requireNonNull(
                group.origin().queryText("SELECT op FROM ddlrep.ddl_operation WHERE state = 'open'"));
        try (NodeSession recovery = group.session(group.origin());
                NodeSession watch = group.session(group.origin())) {
            String pid = recovery.query("SELECT pg_backend_pid()::text AS pid")
                    .get(0)
                    .text("pid");
            CompletableFuture<Boolean> word =
                    CompletableFuture.supplyAsync(() -> Recovery.committed(recovery, new OperationId(op)));
            await().atMost(LIMIT)
                    .until(() -> watch.query("SELECT FROM pg_locks WHERE NOT granted AND pid = $1::int", pid)
                                    .size()
                            == 1);
            prepare.release();
            commit.join();
            assertThat(word.join()).isTrue();
        }
        group.assertEqualNodes();
    }
}
