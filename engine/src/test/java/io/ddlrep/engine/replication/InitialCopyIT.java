package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.DdlrepException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InitialCopyIT {
    private RowsGroup group;

    @BeforeEach
    void create() throws SQLException {
        group = RowsGroup.create("copy", 3);
        group.nodes().executeOnAll("CREATE TYPE mood AS ENUM ('sad', 'ok')");
        group.replicate(
                "CREATE TABLE t (id int PRIMARY KEY, m mood, v text);"
                        + "CREATE TABLE bag (v text);"
                        + "CREATE TABLE bare ();"
                        + "CREATE TABLE p (id int, d int, PRIMARY KEY (id, d)) PARTITION BY RANGE (d);"
                        + "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (50);"
                        + "CREATE TABLE p2 (d int NOT NULL, id int NOT NULL);"
                        + "ALTER TABLE p ATTACH PARTITION p2 FOR VALUES FROM (50) TO (100)",
                "t",
                "bag",
                "bare",
                "p");
        group.write(
                "INSERT INTO t SELECT g, 'ok', repeat('v', g % 100) FROM generate_series(1, 20000) g",
                "INSERT INTO bag SELECT 'dup' FROM generate_series(1, 100)",
                "INSERT INTO bare SELECT FROM generate_series(1, 10)",
                "INSERT INTO p SELECT g, g % 100 FROM generate_series(1, 1000) g");
    }

    @AfterEach
    void close() {
        group.close();
    }

    private InitialCopy.Result copy(String replica) {
        return new InitialCopy(group.access(), "n1").run(RowsGroup.PUBLICATION, replica);
    }

    @Test
    void empty_tables_are_filled_while_writers_go_on_with_no_gap_and_nothing_twice()
            throws SQLException, InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> writeUntil(stop));
        writer.start();
        try {
            InitialCopy.Result result = copy("n2");
            assertThat(result.copied()).containsKeys("\"public\".\"t\"", "\"public\".\"bag\"", "\"public\".\"p\"");
            assertThat(result.verified()).isEmpty();
            copy("n3");
        } finally {
            stop.set(true);
            writer.join();
        }
        group.assertSame("t", "bag", "p1", "p2");
        assertThat(group.origin().queryText("SELECT string_agg(state, ',') FROM ddlrep.publication_node"))
                .isEqualTo("active,active");
    }

    private void writeUntil(AtomicBoolean stop) {
        try (Connection connection = group.origin().connect();
                Statement statement = connection.createStatement()) {
            for (int i = 1; !stop.get(); i++) {
                statement.execute("UPDATE t SET v = 'w" + i + "' WHERE id % 1000 = " + i % 1000);
                statement.execute("INSERT INTO bag VALUES ('w" + i % 7 + "')");
                statement.execute("UPDATE p SET d = (d + 50) % 100 WHERE id = " + i % 1000);
                statement.execute("DELETE FROM t WHERE id = " + i);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void equal_rows_are_verified_and_kept() throws SQLException {
        copy("n2");
        InitialCopy.Result again = copy("n2");
        assertThat(again.copied()).isEmpty();
        assertThat(again.verified())
                .containsEntry("\"public\".\"t\"", 20000L)
                .containsEntry("\"public\".\"bare\"", 10L)
                .containsEntry("\"public\".\"p\"", 1000L);
        copy("n3");
        group.write("DELETE FROM t WHERE id < 100");
        group.assertSame("t", "bag", "p1", "p2");
    }

    @Test
    void other_rows_are_refused_with_the_difference() throws SQLException {
        copy("n2");
        group.nodes().node(2).execute("SET session_replication_role = replica; UPDATE t SET v = 'other' WHERE id = 77");
        assertThatThrownBy(() -> copy("n2"))
                .isInstanceOf(DdlrepException.class)
                .satisfies(
                        e -> assertThat(((DdlrepException) e).error().detail()).contains("(77)"))
                .hasMessageContaining("holds other rows than the origin");
        assertThat(group.origin().queryText("SELECT state FROM ddlrep.publication_node WHERE node = 'n2'"))
                .isEqualTo("paused");
    }
}
