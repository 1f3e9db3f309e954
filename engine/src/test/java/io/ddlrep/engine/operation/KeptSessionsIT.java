package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.testkit.PgNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions that are kept from operation to operation, and servers or hosts that go away in between. */
class KeptSessionsIT {
    private static final String OURS = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND application_name LIKE 'ddlrep %'";

    private TestGroup group;

    @BeforeEach
    void start() {
        group = TestGroup.create("kept");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
    }

    @AfterEach
    void stop() {
        group.close();
    }

    @Test
    void the_first_operation_after_a_replica_lost_all_sessions_succeeds() throws Exception {
        TestClient client = group.client();
        for (int round = 0; round < 4; round++) {
            group.origin().execute("INSERT INTO t (id) VALUES (" + round + ")");
            client.run("ALTER TABLE t ADD COLUMN c" + round + " integer");
            // As a restart of the server does; at once, so that no session counts as idle for long.
            assertThat(group.node(2).queryText(OURS)).isNotEqualTo("0");
            group.origin().execute("UPDATE t SET v = 'x'");
            client.run("ALTER TABLE t ADD COLUMN d" + round + " integer");
        }
        assertThat(group.replicaState(2)).startsWith("active");
        group.assertEqualNodes();
    }

    @Test
    void servers_end_sessions_of_a_host_that_vanished() {
        PgNode replica = group.node(2);
        Services services = group.engine().services();
        try (NodeSession companion = services.openCompanion(replica.name(), group.companions());
                NodeSession service = services.borrow(replica.name())) {
            for (NodeSession session : List.of(companion, service)) {
                assertThat(session.query("SELECT current_setting('tcp_keepalives_idle')"
                                        + " || ' ' || current_setting('tcp_user_timeout') AS limits")
                                .get(0)
                                .text("limits"))
                        .isEqualTo("60 90000");
            }
        }
    }
}
