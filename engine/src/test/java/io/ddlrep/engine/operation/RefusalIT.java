package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.ServerError;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalIT {
    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("refusal");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.run("CREATE TABLE other (id integer PRIMARY KEY)");
        group.origin().execute("INSERT INTO t VALUES (1, 'a')");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @Test
    void a_snapshot_older_than_the_last_operation_is_refused_before_any_lock() throws Exception {
        try (TestClient old = group.client();
                TestClient writer = group.client()) {
            old.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_namespace");
            group.run("ALTER TABLE other ADD COLUMN IF NOT EXISTS x integer");
            writer.run("BEGIN; UPDATE t SET v = 'held'");
            // A lock request would wait here for the default lock_wait of two minutes.
            assertThat(old.refused("ALTER TABLE t ADD COLUMN late integer").sqlState())
                    .isEqualTo("40001");
            writer.run("ROLLBACK");
            old.run("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ; ALTER TABLE t ADD COLUMN late integer;"
                    + " UPDATE t SET late = 1; ALTER TABLE t DROP COLUMN late; COMMIT");
        }
        group.assertEqualNodes();
    }

    @Test
    void a_rule_that_would_rewrite_rows_as_they_are_applied_is_refused() throws Exception {
        group.run(
                "CREATE RULE elsewhere AS ON INSERT TO t WHERE NEW.id < 0 DO INSTEAD INSERT INTO other VALUES (NEW.id)");
        try (TestClient client = group.client()) {
            for (String how : List.of("REPLICA", "ALWAYS")) {
                ServerError error = client.refused("ALTER TABLE t ENABLE " + how + " RULE elsewhere");
                assertThat(error.sqlState()).isEqualTo("0A000");
                assertThat(error.message()).contains("a rule that is enabled REPLICA or ALWAYS");
            }
        }
        group.run("ALTER TABLE t DISABLE RULE elsewhere; ALTER TABLE t ENABLE RULE elsewhere");
        group.origin().execute("INSERT INTO t (id) VALUES (-7)");
        group.assertEqualNodes();
        group.run("DROP RULE elsewhere ON t");
    }

    @Test
    void ddl_on_a_replica_names_the_origin() throws Exception {
        try (TestGroup own = TestGroup.create("refusal")) {
            own.run("CREATE TABLE t (id integer PRIMARY KEY)");
            TriggerEngine engine = own.openEngineAt(2);
            TestClient client = own.client(engine, own.node(2), own.superuser());
            ServerError error = client.refused("ALTER TABLE t ADD COLUMN x integer");
            assertThat(error.sqlState()).isEqualTo("25006");
            assertThat(error.detail() + error.hint())
                    .contains(own.origin().host())
                    .contains(Integer.toString(own.origin().port()));
            own.assertEqualNodes();
        }
    }

    @Test
    void what_must_run_outside_a_transaction_and_has_no_other_form_is_refused() throws Exception {
        group.run("CREATE TABLE parted (id integer) PARTITION BY LIST (id)");
        group.run("CREATE INDEX parted_i ON parted (id)");
        try (TestClient client = group.client()) {
            assertThat(client.refused("EXPLAIN (ANALYZE) CREATE TABLE made AS SELECT 1")
                            .sqlState())
                    .isEqualTo("0A000");
            assertThat(client.refused("CLUSTER parted USING parted_i").sqlState())
                    .isEqualTo("0A000");
            assertThat(client.refused("DROP INDEX CONCURRENTLY parted_i, t_pkey")
                            .sqlState())
                    .isEqualTo("0A000");
        }
        group.run("DROP TABLE parted");
        group.assertEqualNodes();
    }

    @Test
    void ddl_of_temporary_objects_is_no_operation() throws Exception {
        long before = group.operations();
        try (TestClient client = group.client()) {
            client.run(
                    "CREATE TEMP TABLE mine (id integer); CREATE INDEX ON mine (id); ALTER TABLE mine ADD COLUMN v text;"
                            + " INSERT INTO mine VALUES (1, 'a'); DROP TABLE mine; CREATE TEMP SEQUENCE ts; DROP SEQUENCE ts;"
                            + " CREATE TEMP TABLE made AS SELECT 1 AS one; SELECT 2 AS two INTO TEMP made2");
            client.run("BEGIN; CREATE TEMP TABLE again (id integer); ALTER TABLE again ADD PRIMARY KEY (id); COMMIT");
        }
        assertThat(group.operations()).isEqualTo(before);
    }

    @Test
    void ddl_outside_the_scope_is_no_operation() throws Exception {
        try (TestGroup own = TestGroup.create("refusal")) {
            own.nodes().executeOnAll("UPDATE ddlrep.publication SET scope = 'schemas', schemas = '{app}'");
            own.run("CREATE SCHEMA app");
            own.run("CREATE TABLE app.t (id integer PRIMARY KEY)");
            long before = own.operations();
            try (TestClient client = own.client()) {
                client.run("CREATE TABLE elsewhere (id integer); ALTER TABLE elsewhere ADD COLUMN v text;"
                        + " BEGIN; DROP TABLE elsewhere; COMMIT");
            }
            assertThat(own.operations()).isEqualTo(before);
            own.run("ALTER TABLE app.t ADD COLUMN v text");
            assertThat(own.operations()).isEqualTo(before + 1);
            own.assertEqualNodes();
        }
    }

    @Test
    void an_unlogged_table_is_refused_and_not_made() throws Exception {
        try (TestClient client = group.client()) {
            assertThat(client.refused("CREATE UNLOGGED TABLE u (id integer)").sqlState())
                    .isEqualTo("0A000");
        }
        group.assertEqualNodes();
        assertThat(group.origin().queryText("SELECT count(*) FROM pg_class WHERE relname = 'u'"))
                .isEqualTo("0");
    }

    @Test
    void local_ddl_is_recorded_and_stays_on_its_node() throws Exception {
        long before = group.operations();
        try (TestClient client = group.client()) {
            client.run("SET ddlrep.replicate = off; CREATE VIEW local_view AS SELECT 1 AS one");
            assertThat(group.node(2).queryText("SELECT to_regclass('local_view')"))
                    .isNull();
            assertThat(group.origin()
                            .queryText("SELECT count(*) > 0 FROM ddlrep.drift_event WHERE tag = 'CREATE VIEW'"))
                    .isEqualTo("t");
            client.run("DROP VIEW local_view");
        }
        assertThat(group.operations()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"REINDEX SCHEMA public", "VACUUM t", "CLUSTER", "TRUNCATE t"})
    void what_keeps_up_a_node_or_changes_rows_is_no_operation(String sql) throws SQLException {
        long before = group.operations();
        try (TestClient client = group.client()) {
            client.run(sql);
        }
        assertThat(group.operations()).isEqualTo(before);
    }

    @Test
    void a_setting_that_means_nothing_is_refused() {
        try (TestClient client = group.client()) {
            client.run("SET ddlrep.lock_wait = 'soon'");
            assertThat(client.refused("ALTER TABLE t ADD COLUMN x integer").sqlState())
                    .isEqualTo("22023");
        }
    }

    @Test
    void a_table_that_was_kept_local_stays_so() throws Exception {
        group.local(1, "CREATE UNLOGGED TABLE only_here (id integer)");
        group.run("CREATE TABLE beside_it (id integer PRIMARY KEY)");
        group.run("ALTER TABLE beside_it RENAME TO still_beside_it");
        assertThat(
                        group.origin()
                                .queryRows(
                                        "SELECT table_name FROM ddlrep.replicated_table WHERE table_name IN ('only_here', 'still_beside_it')"))
                .containsExactly("still_beside_it");
        group.local(1, "DROP TABLE only_here");
        group.assertEqualNodes();
    }

    @Test
    void a_table_that_is_made_of_a_temporary_one_is_on_every_node() throws Exception {
        try (TestClient client = group.client()) {
            client.run("CREATE TEMP TABLE scratch AS SELECT 1 AS one; CREATE TABLE kept AS SELECT * FROM scratch");
            group.assertEqualNodes();
            assertThat(group.node(2).queryRows("SELECT one FROM kept")).containsExactly("1");
            assertThat(client.refused("DROP TABLE scratch, kept").sqlState()).isEqualTo("0A000");
            client.run("CREATE VIEW of_scratch AS SELECT * FROM scratch; DROP TABLE scratch CASCADE; DROP TABLE kept");
        }
        group.assertEqualNodes();
    }
}
