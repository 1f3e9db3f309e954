package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.load.LoadGenerator;
import io.ddlrep.testkit.load.LoadPlan;
import io.ddlrep.testkit.load.TableWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeedScriptIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void the_seed_script_gives_a_key_and_equal_rows_while_writers_run() throws Exception {
        try (TestGroup group = TestGroup.create("seed")) {
            group.run("CREATE TABLE t1 (id integer, v text)");
            TableWork work = TableWork.on("t1");
            try (LoadGenerator load = LoadPlan.of(4, 7)
                    .add(6, work.insert())
                    .add(2, work.update())
                    .add(1, work.delete())
                    .start(group.origin()::connect)) {
                load.awaitCommits(100, LIMIT);
                TestClient client = group.client();
                client.run("BEGIN; ALTER TABLE t1 ADD COLUMN c1 integer; CREATE SEQUENCE s1;"
                        + " UPDATE t1 SET c1 = nextval('s1'); ALTER TABLE t1 ALTER COLUMN c1 SET NOT NULL;"
                        + " ALTER TABLE t1 ADD PRIMARY KEY (c1); COMMIT");
                // The writers know nothing of the new column: they fail from now on, as they must.
                assertThat(load.stop().errors()).containsOnlyKeys("23502");
            }
            group.assertEqualNodes();
            for (int node = 1; node <= 3; node++) {
                assertThat(group.node(node)
                                .queryText(
                                        "SELECT (count(*) > 50 AND count(*) = count(DISTINCT c1))::text" + " FROM t1"))
                        .isEqualTo("true");
                assertThat(group.node(node).queryText("SELECT last_value::text FROM s1"))
                        .isEqualTo(group.origin().queryText("SELECT last_value::text FROM s1"));
            }
            assertThat(group.lastOperation()).isEqualTo("committed");
        }
    }

    @Test
    void the_same_script_in_one_string_is_one_operation() throws Exception {
        try (TestGroup group = TestGroup.create("seed")) {
            group.run("CREATE TABLE t1 (id integer, v text)");
            group.origin().execute("INSERT INTO t1 SELECT g, g::text FROM generate_series(1, 500) g");
            long before = group.operations();
            group.run("ALTER TABLE t1 ADD COLUMN c1 integer; CREATE SEQUENCE s1; UPDATE t1 SET c1 = nextval('s1');"
                    + " ALTER TABLE t1 ALTER COLUMN c1 SET NOT NULL; ALTER TABLE t1 ADD PRIMARY KEY (c1)");
            assertThat(group.operations()).isEqualTo(before + 1);
            group.assertEqualNodes();
            group.origin().execute("UPDATE t1 SET v = 'x' WHERE c1 <= 10", "DELETE FROM t1 WHERE c1 > 400");
            group.assertEqualNodes();
        }
    }

    @Test
    void what_is_rolled_back_leaves_no_trace() throws Exception {
        try (TestGroup group = TestGroup.create("seed")) {
            group.run("CREATE TABLE t1 (id integer, v text)");
            group.origin().execute("INSERT INTO t1 VALUES (1, 'a'), (1, 'a'), (2, null)");
            group.synchronize();
            Map<String, List<String>> before = group.state();
            group.client()
                    .run("BEGIN; ALTER TABLE t1 ADD COLUMN c1 integer; CREATE SEQUENCE s1;"
                            + " UPDATE t1 SET c1 = nextval('s1'); ALTER TABLE t1 ADD PRIMARY KEY (c1); ROLLBACK");
            group.assertUnchanged(before);
            assertThat(group.lastOperation()).isEqualTo("rolled_back");
        }
    }
}
