package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.Standing;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.proxy.FaultProxy;
import io.ddlrep.testkit.proxy.Hold;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A closed generation that every replica has is dropped between the look at which there are and the read of it. */
class DroppedGenerationIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private RowsGroup group;
    private FaultProxy proxy;
    private NodeAccess access;
    private TriggerSubstrate substrate;

    @BeforeEach
    void two_generations() throws SQLException {
        group = RowsGroup.create("dropped", 2);
        group.replicate("CREATE TABLE t (id integer PRIMARY KEY, v text)", "t");
        group.write("INSERT INTO t VALUES (1, 'a')");
        group.synchronize();
        proxy = FaultProxy.before(group.origin());
        PgNode origin = group.origin();
        PgNode replica = group.replicas().get(0);
        access = new NodeAccess(
                new JdbcConnector(Map.of()),
                Map.of(
                        "n1",
                                new NodeAddress(
                                        "n1", proxy.node().host(), proxy.node().port(), origin.database()),
                        "n2", new NodeAddress("n2", replica.host(), replica.port(), replica.database())),
                new Credentials(origin.superuser(), origin.password()),
                new Credentials("ddlrep_apply", null));
        substrate = new TriggerSubstrate(access, "n1");
        // As an operation leaves it: what was captured before stands in a generation that is closed.
        group.write(
                "CREATE TABLE ddlrep_shadow.s99_1 AS SELECT * FROM ddlrep_shadow.s1_1",
                "INSERT INTO ddlrep.shadow_generation SELECT 99, publication, 1, 's99_1', columns, column_names,"
                        + " key_columns, opened_by, 'op' FROM ddlrep.shadow_generation WHERE table_id = 1",
                "INSERT INTO t VALUES (2, 'b')");
    }

    @AfterEach
    void stop() {
        substrate.close();
        proxy.close();
        group.close();
    }

    private void dropWhenHeld(Hold hold) throws SQLException {
        hold.await(LIMIT);
        group.write("DROP TABLE ddlrep_shadow.s99_1", "DELETE FROM ddlrep.shadow_generation WHERE table_id = 99");
        hold.release();
    }

    @Test
    void synchronize_goes_on_without_it() throws SQLException {
        var now = substrate.mark();
        Hold hold = proxy.holdWhen(m -> m.contains("COPY (SELECT") && m.contains("s99_1"));
        CompletableFuture<Long> rows =
                CompletableFuture.supplyAsync(() -> substrate.synchronize(RowsGroup.PUBLICATION, "n2", now));
        dropWhenHeld(hold);
        assertThat(rows.join()).isEqualTo(1);
        group.assertEqual("t");
    }

    @Test
    void a_look_whether_a_replica_is_behind_is_made_again() throws SQLException {
        Standing standing = substrate.standing(RowsGroup.PUBLICATION, "n2");
        Hold hold = proxy.holdWhen(m -> m.contains("EXISTS (SELECT") && m.contains("s99_1"));
        CompletableFuture<Boolean> behind =
                CompletableFuture.supplyAsync(() -> substrate.isBehind(RowsGroup.PUBLICATION, standing));
        dropWhenHeld(hold);
        assertThat(behind.join()).isTrue();
    }

    @Test
    void the_watch_goes_on_without_it() throws SQLException {
        String position = group.replicas().get(0).queryText("SELECT snapshot FROM ddlrep.subscription");
        Hold hold = proxy.holdWhen(m -> m.contains("EXISTS (SELECT") && m.contains("s99_1"));
        CompletableFuture<Boolean> changed = CompletableFuture.supplyAsync(() -> {
            try (NodeSession session = access.service("n1")) {
                return new ChangeWatch(session).changedSince(String.valueOf(position));
            }
        });
        dropWhenHeld(hold);
        assertThat(changed.join()).isTrue();
    }
}
