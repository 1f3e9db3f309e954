package io.ddlrep.testkit.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TableDumpIT {

    @Test
    void equal_rows_in_another_physical_order_have_the_same_checksum() throws SQLException {
        try (PgGroup group = PgGroup.create("rows", 2)) {
            group.node(1)
                    .execute(
                            "CREATE TABLE \"T\" (id int, v text, f float8, at timestamptz)",
                            "INSERT INTO \"T\" SELECT i, nullif('v' || i, 'v5'), i / 7.0, 'epoch' FROM"
                                    + " generate_series(1, 100) i");
            group.node(2)
                    .execute(
                            "CREATE TABLE \"T\" (at timestamptz, gone int, f float8, v text, id int)",
                            "ALTER TABLE \"T\" DROP gone",
                            "INSERT INTO \"T\" (id, v, f, at) SELECT i, nullif('v' || i, 'v5'), i / 7.0, 'epoch' FROM"
                                    + " generate_series(100, 1, -1) i");
            assertThat(checksum(group.node(1), "\"T\""))
                    .startsWith("100 rows ")
                    .isEqualTo(checksum(group.node(2), "public.\"T\""));
            group.node(2).execute("UPDATE \"T\" SET v = '' WHERE id = 5");
            assertThat(checksum(group.node(1), "\"T\"")).isNotEqualTo(checksum(group.node(2), "\"T\""));
        }
    }

    @Test
    void doubled_and_lost_rows_change_the_checksum() throws SQLException {
        try (PgGroup group = PgGroup.create("doubles", 1)) {
            PgNode node = group.node(1);
            node.execute("CREATE TABLE t (v text)", "INSERT INTO t VALUES ('a'), ('b')");
            String before = checksum(node, "t");
            node.execute("INSERT INTO t VALUES ('b')");
            assertThat(checksum(node, "t")).isNotEqualTo(before);
            node.execute("DELETE FROM t WHERE v = 'b'");
            assertThat(checksum(node, "t")).isNotEqualTo(before);
            try (Connection connection = node.connect()) {
                assertThat(TableDump.rows(connection, "t")).containsExactly("(a)");
            }
        }
    }

    @Test
    void an_empty_table_has_a_checksum_too() throws SQLException {
        try (PgGroup group = PgGroup.create("empty", 1)) {
            group.node(1).execute("CREATE TABLE t (v text)");
            assertThat(checksum(group.node(1), "t")).isEqualTo("0 rows none");
        }
    }

    private static String checksum(PgNode node, String table) throws SQLException {
        try (Connection connection = node.connect()) {
            return TableDump.checksum(connection, table);
        }
    }
}
