package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReimageDrainIT {
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
}
