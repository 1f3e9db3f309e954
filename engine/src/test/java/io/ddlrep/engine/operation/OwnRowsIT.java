package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client's own rows and those of others, in one operation. */
class OwnRowsIT {
    @Test
    void a_table_made_by_a_query_does_not_carry_rows_past_older_ones_of_others() throws Exception {
        try (TestGroup group = TestGroup.create("reimage")) {
            group.run("CREATE TABLE u (k integer PRIMARY KEY, v integer)");
            group.origin().execute("INSERT INTO u VALUES (1, 0)");
            group.synchronize();
            TestClient client = group.client();
            client.run("BEGIN; CREATE TABLE y (id integer PRIMARY KEY)");
            group.origin().execute("UPDATE u SET v = 1 WHERE k = 1");
            client.run("UPDATE u SET v = 2 WHERE k = 1; CREATE TABLE x AS SELECT 1 AS one; COMMIT");
            group.assertEqualNodes();
            assertThat(group.node(3).queryText("SELECT v FROM u")).isEqualTo("2");
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_twin_of_a_deleted_row_stays_free_for_others() throws Exception {
        try (TestGroup group = TestGroup.create("twins")) {
            group.run("CREATE TABLE bag (v text)");
            group.run("CREATE TABLE x (id integer PRIMARY KEY)");
            group.origin().execute("INSERT INTO bag VALUES ('twin'), ('twin'), ('twin')");
            group.synchronize();
            TestClient client = group.client();
            client.run(
                    "BEGIN; DELETE FROM bag WHERE ctid = (SELECT min(ctid) FROM bag); ALTER TABLE x ADD COLUMN a integer");
            group.origin().execute("DELETE FROM bag WHERE ctid = (SELECT max(ctid) FROM bag)");
            client.run("ALTER TABLE x ADD COLUMN b integer; COMMIT");
            group.assertEqualNodes();
            assertThat(group.node(3).queryText("SELECT count(*) FROM bag")).isEqualTo("1");
        }
    }
}
