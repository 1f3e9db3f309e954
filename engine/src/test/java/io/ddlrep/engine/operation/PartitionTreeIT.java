package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * DDL of one partition while rows of its sisters are written. Rows are applied by the topmost table, which needs every
 * partition: what a companion holds would stop the applier, and the operation would wait for it, for ever.
 */
class PartitionTreeIT {
    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("partitions");
        group.run("CREATE TABLE part (id integer PRIMARY KEY, v text) PARTITION BY RANGE (id);"
                + " CREATE TABLE part_low PARTITION OF part FOR VALUES FROM (0) TO (100);"
                + " CREATE TABLE part_high PARTITION OF part FOR VALUES FROM (100) TO (200) PARTITION BY RANGE (id);"
                + " CREATE TABLE part_high0 PARTITION OF part_high FOR VALUES FROM (100) TO (150)");
        group.origin().execute("INSERT INTO part SELECT g, 'v' FROM generate_series(1, 50) g");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static void execute(String sql) {
        try {
            group.origin().execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @ValueSource(
            strings = {
                "ALTER TABLE part_high0 ALTER COLUMN v SET DEFAULT 'd'",
                "CREATE INDEX ON part_high0 (v)",
                "ALTER TABLE part_high0 ADD CHECK (id < 1000)",
                "DROP TABLE part_high0"
            })
    void rows_of_a_sister_wait_as_those_of_the_partition_do(String ddl)
            throws SQLException, InterruptedException, ExecutionException, TimeoutException {
        TestClient client = group.client(group.engine());
        client.run("BEGIN");
        client.run(ddl);
        CompletableFuture<Void> writes = CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> execute("UPDATE part SET v = v || 'u' WHERE id < 10")),
                CompletableFuture.runAsync(() -> execute("UPDATE part_low SET v = v || 'w' WHERE id >= 10")));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> writes.isDone()
                        || "2".equals(group.origin().queryText("SELECT count(*) FROM pg_locks WHERE NOT granted")));
        assertThat(writes).isNotDone();
        client.run("COMMIT");
        writes.get(20, TimeUnit.SECONDS);
        group.assertEqualNodes();
    }
}
