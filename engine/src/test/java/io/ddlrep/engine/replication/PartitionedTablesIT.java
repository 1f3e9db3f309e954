package io.ddlrep.engine.replication;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitioned tables and classic inheritance: captured by row. */
class PartitionedTablesIT {
    private static RowsGroup group;

    @BeforeAll
    static void create() throws SQLException {
        group = RowsGroup.create("parts", 2);
        group.replicate(
                "CREATE TABLE p (id int, d int, v text, PRIMARY KEY (id, d)) PARTITION BY RANGE (d);"
                        + "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (100);"
                        + "CREATE TABLE p2 (v text, d int NOT NULL, id int NOT NULL);"
                        + "ALTER TABLE p ATTACH PARTITION p2 FOR VALUES FROM (100) TO (200);"
                        + "CREATE TABLE p3 PARTITION OF p FOR VALUES FROM (200) TO (400) PARTITION BY RANGE (d);"
                        + "CREATE TABLE p31 PARTITION OF p3 FOR VALUES FROM (200) TO (300);"
                        + "CREATE TABLE bag (d int, v text) PARTITION BY LIST (d);"
                        + "CREATE TABLE bag1 PARTITION OF bag FOR VALUES IN (1);"
                        + "CREATE TABLE bag2 PARTITION OF bag DEFAULT;"
                        + "CREATE TABLE ip (id int PRIMARY KEY, v text);"
                        + "CREATE TABLE ic (extra int, PRIMARY KEY (id)) INHERITS (ip)",
                "p",
                "bag",
                "ip",
                "ic");
    }

    @AfterAll
    static void close() {
        group.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write("TRUNCATE p", "INSERT INTO p SELECT g, g % 300, 'v' || g FROM generate_series(1, 600) g");
    }

    private static void assertSame() throws SQLException {
        group.assertSame("p1", "p2", "p31");
    }

    @Test
    void rows_written_through_the_parent() throws SQLException {
        assertSame();
        group.write("UPDATE p SET v = 'u' WHERE d < 50", "DELETE FROM p WHERE d > 190");
        assertSame();
        group.write("INSERT INTO p VALUES (16, 16, 'oc'), (9000, 150, 'n') ON CONFLICT (id, d) DO UPDATE SET v = 'oc'");
        group.copyIn("COPY p FROM STDIN", "70000\t150\tcopied\n70001\t250\tcopied\n");
        assertSame();
    }

    @Test
    void rows_that_move_to_another_partition() throws SQLException {
        assertSame();
        group.write("UPDATE p SET d = d + 100 WHERE d < 10", "UPDATE p SET d = d + 200 WHERE d BETWEEN 20 AND 25");
        assertSame();
        group.write("UPDATE p SET d = d - 100 WHERE d >= 100 AND d < 105", "UPDATE p SET d = d + 100 WHERE d < 3");
        assertSame();
    }

    @Test
    void rows_written_to_a_partition_itself() throws SQLException {
        assertSame();
        group.write(
                "INSERT INTO p1 VALUES (9999, 5, 'direct')",
                "UPDATE p2 SET v = 'direct' WHERE d = 120",
                "DELETE FROM p2 WHERE d = 121",
                "UPDATE p31 SET id = id + 5000 WHERE d = 210");
        assertSame();
    }

    @Test
    void merge_that_moves_a_row() throws SQLException {
        group.nodesFrom(15);
        assertSame();
        group.write("MERGE INTO p USING (VALUES (15, 15, 'm')) s(id, d, v) ON p.id = s.id AND p.d = s.d"
                + " WHEN MATCHED THEN UPDATE SET d = 150");
        assertSame();
    }

    @Test
    void truncate_of_one_partition_empties_only_that() throws SQLException {
        assertSame();
        group.write(
                "INSERT INTO p VALUES (8001, 1, 'gone'), (8002, 150, 'stays')",
                "TRUNCATE p1",
                "INSERT INTO p VALUES (8003, 2, 'after'), (8004, 151, 'after')",
                "TRUNCATE p3",
                "INSERT INTO p VALUES (8005, 250, 'after')");
        assertSame();
        group.write("TRUNCATE p", "INSERT INTO p VALUES (1, 1, 'x')");
        assertSame();
    }

    @Test
    void a_partitioned_table_without_a_key() throws SQLException {
        group.write(
                "INSERT INTO bag VALUES (1, 'a'), (1, 'a'), (2, 'b'), (3, 'c')", "UPDATE bag SET d = 1 WHERE d = 3");
        group.assertSame("bag1", "bag2");
        group.write("TRUNCATE bag1", "INSERT INTO bag VALUES (1, 'z'), (7, 'b')", "DELETE FROM bag WHERE d = 2");
        group.assertSame("bag1", "bag2");
    }

    @Test
    void children_of_an_ordinary_table_keep_their_own_rows() throws SQLException {
        group.write("INSERT INTO ip VALUES (1, 'p'), (2, 'p')", "INSERT INTO ic VALUES (2, 'c', 7), (3, 'c', 8)");
        group.assertSame("ip", "ic");
        group.write("UPDATE ip SET v = 'u'", "DELETE FROM ip WHERE id = 3", "DELETE FROM ONLY ip WHERE id = 2");
        group.assertSame("ip", "ic");
        group.write("TRUNCATE ONLY ip", "INSERT INTO ip VALUES (5, 'x')");
        group.assertSame("ip", "ic");
        group.write("TRUNCATE ip");
        group.assertSame("ip", "ic");
    }
}
