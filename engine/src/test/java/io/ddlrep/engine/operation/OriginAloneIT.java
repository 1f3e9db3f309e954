package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever the client does after an operation has failed, the origin never commits a part of it alone. */
class OriginAloneIT {
    private static TestGroup group;
    private TestClient client;

    @BeforeAll
    static void start() {
        group = TestGroup.create("alone");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void fill() throws Exception {
        group.run("DROP TABLE IF EXISTS t");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        client = group.client();
    }

    private static void loseCompanion() throws Exception {
        String companions = "FROM pg_stat_activity WHERE application_name = 'ddlrep companion'"
                + " AND datname = current_database() AND state LIKE 'idle in transaction%'";
        group.node(2).execute("SELECT pg_terminate_backend(pid) " + companions);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> group.node(2).queryRows("SELECT pid " + companions).isEmpty());
    }

    private void assertNothingCame() throws Exception {
        assertThat(client.session().transactionStatus()).isEqualTo(TransactionStatus.IDLE);
        assertThat(client.isOperationOpen()).isFalse();
        assertThat(group.recover().clean()).isTrue();
        group.assertEqualNodes();
        assertThat(group.origin()
                        .queryRows("SELECT attname FROM pg_attribute WHERE attrelid = 't'::regclass"
                                + " AND attnum > 0 AND NOT attisdropped ORDER BY 1"))
                .containsExactly("id", "v");
        client.run("ALTER TABLE t ADD COLUMN later integer");
        group.assertEqualNodes();
    }

    @Test
    void a_savepoint_of_an_operation_that_lost_a_replica_leads_nowhere() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer; SAVEPOINT s");
        loseCompanion();
        assertThat(client.refused("ALTER TABLE t ADD COLUMN b integer").sqlState())
                .isEqualTo("55000");
        ServerError back = client.refused("ROLLBACK TO s");
        assertThat(back.sqlState()).isEqualTo("55000");
        assertThat(back.message()).contains("can only be rolled back");
        assertThat(client.session().transactionStatus()).isEqualTo(TransactionStatus.FAILED);
        client.run("COMMIT");
        assertNothingCame();
    }

    @Test
    void a_savepoint_older_than_the_lost_operation_still_leads_back() throws Exception {
        client.run("BEGIN; UPDATE t SET v = 'kept' WHERE id = 1; SAVEPOINT old; ALTER TABLE t ADD COLUMN a integer;"
                + " SAVEPOINT s");
        loseCompanion();
        assertThat(client.refused("ALTER TABLE t ADD COLUMN b integer").sqlState())
                .isEqualTo("55000");
        client.run("ROLLBACK TO old; COMMIT");
        assertThat(group.origin().queryText("SELECT v FROM t WHERE id = 1")).isEqualTo("kept");
        assertNothingCame();
    }

    @Test
    void a_commit_that_failed_ends_the_transaction_savepoints_and_all() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer; SAVEPOINT s; ALTER TABLE t ADD COLUMN b integer");
        loseCompanion();
        assertThat(client.refused("COMMIT").sqlState()).isEqualTo("55000");
        assertThat(client.session().transactionStatus()).isEqualTo(TransactionStatus.IDLE);
        assertThat(client.refused("ROLLBACK TO s").sqlState()).isEqualTo("25P01");
        assertNothingCame();
    }

    @Test
    void a_savepoint_that_a_replica_did_not_take_leads_nowhere() throws Exception {
        client.run("BEGIN; ALTER TABLE t ADD COLUMN a integer");
        loseCompanion();
        assertThat(client.refused("SAVEPOINT s").sqlState()).isEqualTo("55000");
        assertThat(client.refused("ROLLBACK TO s").sqlState()).isEqualTo("55000");
        client.run("COMMIT");
        assertNothingCame();
    }
}
