package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.LostHistoryException;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a replica refuses, notices, and leaves to nobody. */
class ReplicaIT {
    private RowsGroup group;
    private PgNode replica;

    @BeforeEach
    void create() throws SQLException {
        group = RowsGroup.create("replica", 2);
        group.replicate(
                "CREATE TABLE t (id int PRIMARY KEY, v text);"
                        + "CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id);"
                        + "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10)",
                "t",
                "p");
        replica = group.replicas().get(0);
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void direct_writes_are_refused_and_told_where_to_go() throws SQLException {
        String url = "jdbc:ddlrep://" + group.origin().host() + ":"
                + group.origin().port() + "/" + group.origin().database();
        try (NodeSession session = group.open(replica)) {
            for (String sql : List.of(
                    "INSERT INTO t VALUES (1, 'x')",
                    "UPDATE t SET v = ''",
                    "DELETE FROM t",
                    "TRUNCATE t",
                    "INSERT INTO p VALUES (1)",
                    "INSERT INTO p1 VALUES (1)",
                    "TRUNCATE p1",
                    "COPY t FROM STDIN")) {
                assertThatThrownBy(() -> session.execute(sql))
                        .as(sql)
                        .isInstanceOfSatisfying(NodeException.class, e -> {
                            assertThat(e.sqlState()).isEqualTo("25006");
                            assertThat(e.error().message()).contains("n2 is a replica of publication p");
                            assertThat(e.error().hint()).contains(url);
                        });
            }
            session.execute("SET session_replication_role = replica; INSERT INTO t VALUES (1, 'x'); DELETE FROM t");
        }
    }

    private boolean isBehind() {
        return group.substrate().isBehind("p", group.substrate().standing("p", "n2"));
    }

    @Test
    void the_same_point_twice_and_older_points_change_nothing() throws SQLException {
        Point old = group.substrate().mark();
        group.write("INSERT INTO t VALUES (1, 'x')");
        Point now = group.substrate().mark();
        assertThat(isBehind()).isTrue();
        assertThat(group.substrate().synchronize("p", "n2", now)).isEqualTo(1);
        assertThat(isBehind()).isFalse();
        assertThat(group.substrate().synchronize("p", "n2", now)).isZero();
        assertThat(group.substrate().synchronize("p", "n2", old)).isZero();
        group.assertEqual("t");
    }

    @Test
    void several_appliers_take_turns() throws SQLException {
        group.write("INSERT INTO t SELECT g, 'x' FROM generate_series(1, 500) g");
        List<CompletableFuture<Long>> appliers = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> group.substrate()
                        .synchronize("p", "n2", group.substrate().mark())))
                .toList();
        assertThat(appliers.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(500);
        group.assertEqual("t");
    }

    @Test
    void rows_that_are_not_those_of_the_origin_stop_the_batch() throws SQLException {
        group.write("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        group.synchronize();
        Stream.of(
                        "INSERT INTO t VALUES (3, 'extra')|INSERT INTO t VALUES (3, 'c')|DELETE FROM t WHERE id = 3",
                        "DELETE FROM t WHERE id = 1|UPDATE t SET v = 'u' WHERE id = 1|INSERT INTO t VALUES (1, 'a')",
                        "DELETE FROM t WHERE id = 2|DELETE FROM t WHERE id = 2|INSERT INTO t VALUES (2, 'b')")
                .map(pair -> pair.split("\\|", -1))
                .forEach(pair -> {
                    try {
                        replica.execute("SET session_replication_role = replica; " + pair[0]);
                        group.write(pair[1]);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                    assertThatThrownBy(() -> group.synchronize())
                            .as(pair[0])
                            .isInstanceOfSatisfying(
                                    NodeException.class,
                                    e -> assertThat(e.sqlState()).isEqualTo("R0001"));
                    mend(pair[2]);
                });
    }

    /** With the replica's rows as they were, the same batch goes through. */
    private void mend(String sql) {
        try {
            replica.execute("SET session_replication_role = replica; " + sql);
            group.assertSame("t");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void an_unknown_tick_means_lost_history() throws SQLException {
        group.write("INSERT INTO t VALUES (1, 'a')");
        group.synchronize();
        group.write("DELETE FROM ddlrep.tick", "INSERT INTO t VALUES (2, 'b')");
        assertThatThrownBy(() -> group.synchronize())
                .isInstanceOf(LostHistoryException.class)
                .hasMessageContaining("n2 stands at tick");
    }

    @Test
    void code_of_a_table_owner_runs_as_the_owner_and_reaches_nothing() throws SQLException {
        group.nodes()
                .executeOnAll(
                        "SET ddlrep.replicate = off; DO $$ BEGIN CREATE ROLE rows_owner LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;"
                                + "GRANT CREATE ON SCHEMA public TO rows_owner; CREATE TABLE seen (who text, s text); GRANT INSERT ON seen TO rows_owner");
        group.nodes()
                .executeOnAll(
                        "SET ddlrep.replicate = off; SET ROLE rows_owner; CREATE FUNCTION chk(int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN"
                                + " PERFORM set_config('search_path', 'public', false); INSERT INTO public.seen VALUES (current_user, session_user); RETURN true; END $$;"
                                + "CREATE TABLE owned (id int PRIMARY KEY, n int CHECK (chk(n)))");
        group.replicate("", "owned");
        group.write("INSERT INTO owned VALUES (1, 1)", "INSERT INTO t VALUES (1, 'x')");
        group.assertSame("owned", "t");
        assertThat(replica.queryRows("SELECT DISTINCT who, s FROM seen")).containsExactly("rows_owner|ddlrep_apply");
        try (NodeSession owner = group.open(replica, "rows_owner", "")) {
            assertThatThrownBy(() -> owner.execute(
                            "ALTER FUNCTION ddlrep_apply.apply_4(text, boolean, int, text) SECURITY INVOKER"))
                    .isInstanceOfSatisfying(
                            NodeException.class, e -> assertThat(e.sqlState()).isEqualTo("42501"));
        }
    }
}
