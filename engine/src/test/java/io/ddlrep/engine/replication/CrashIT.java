package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Servers that die: what was seen before and what comes after. */
class CrashIT {
    private static RowsGroup dedicated() throws SQLException {
        return RowsGroup.of(PgGroup.dedicated(
                2,
                PgServerOptions.defaults()
                        .withSetting("wal_writer_delay", "10s")
                        .withSetting("autovacuum", "off")));
    }

    @Test
    void an_xid_that_was_only_in_memory_is_never_taken_for_one_that_was_applied() throws SQLException {
        try (RowsGroup group = dedicated()) {
            group.replicate("CREATE TABLE t (id int PRIMARY KEY, v text)", "t");
            group.write("INSERT INTO t VALUES (1, 'base')", "CHECKPOINT");
            group.synchronize();
            try (NodeSession client = group.open(group.origin())) {
                // An aborted transaction and one that commits without a flush: their xids live in memory only.
                client.execute("BEGIN");
                client.query("SELECT pg_current_xact_id()");
                client.execute("ROLLBACK");
                client.execute("SET synchronous_commit = off; INSERT INTO t VALUES (2, 'async')");
                Point point = group.substrate().mark();
                group.substrate().synchronize("p", "n2", point);
            }
            group.nodes().kill9(1);
            group.nodes().restart(1);
            group.forgetSessions();
            group.write("INSERT INTO t VALUES (3, 'after the crash')", "INSERT INTO t VALUES (4, 'and another')");
            group.assertSame("t");
            assertThat(group.replicas().get(0).queryText("SELECT count(*) FROM t"))
                    .isEqualTo(group.origin().queryText("SELECT count(*) FROM t"));
        }
    }

    @Test
    void a_replica_that_dies_after_an_unflushed_commit_gets_its_changes_again() throws SQLException {
        try (RowsGroup group = dedicated()) {
            group.replicate("CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE bag (v text)", "t", "bag");
            group.write("INSERT INTO t VALUES (1, 'a')", "INSERT INTO bag VALUES ('x'), ('x')");
            group.synchronize();
            group.write("UPDATE t SET v = 'b'", "DELETE FROM bag WHERE ctid = (SELECT min(ctid) FROM bag)");
            group.synchronize();
            group.nodes().kill9(2);
            group.nodes().restart(2);
            group.forgetSessions();
            group.write("INSERT INTO bag VALUES ('y')");
            group.assertSame("t", "bag");
        }
    }
}
