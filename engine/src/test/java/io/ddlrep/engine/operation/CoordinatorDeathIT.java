package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.proxy.FaultProxy;
import io.ddlrep.testkit.proxy.Hold;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The process that coordinates an operation is killed while it works; recovery makes it all or none. */
class CoordinatorDeathIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private TestGroup group;
    private FaultProxy origin;
    private FaultProxy replica;
    private Map<String, List<String>> before;

    @TempDir
    private File logs;

    enum Death {
        /** A statement has not reached the replica yet. */
        WHILE_A_STATEMENT_RUNS("CREATE TABLE made"),
        /** One replica has prepared, the other has not. */
        BEFORE_PREPARE("PREPARE TRANSACTION 'ddlrep:"),
        /** The replicas have prepared, the origin has not committed. */
        BEFORE_COMMIT("\0COMMIT\0"),
        /** The origin has committed, one replica has not. */
        BEFORE_COMMIT_PREPARED("COMMIT PREPARED 'ddlrep:");

        private final String message;

        Death(String message) {
            this.message = message;
        }

        boolean isAtOrigin() {
            return this == BEFORE_COMMIT;
        }

        boolean isCommitted() {
            return this == BEFORE_COMMIT_PREPARED;
        }
    }

    @BeforeEach
    void start() throws SQLException {
        group = TestGroup.create("death");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        group.synchronize();
        origin = group.closing(FaultProxy.before(group.origin()));
        replica = group.closing(FaultProxy.before(group.node(2)));
        before = group.state();
    }

    @AfterEach
    void stop() {
        group.close();
    }

    /** Runs the coordinator up to a message, and kills it there. */
    private Hold die(Death death) throws IOException, InterruptedException {
        Hold hold = (death.isAtOrigin() ? origin : replica).holdWhen(m -> m.contains(death.message));
        PgNode node = group.origin();
        Process child = child(node, origin.node(), replica.node(), logs);
        try {
            hold.await(LIMIT);
        } finally {
            child.destroyForcibly().waitFor();
        }
        return hold;
    }

    /** Starts a coordinator of its own process. */
    static Process child(PgNode node, PgNode coordinated, PgNode replica, File logs, String... sql) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CoordinatorMain.class.getName(),
                node.database(),
                node.superuser(),
                node.password(),
                Integer.toString(coordinated.port()),
                Integer.toString(node.port()),
                Integer.toString(replica.port())));
        command.addAll(List.of(sql));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(new File(logs, "child.log")))
                .start();
    }

    @ParameterizedTest
    @EnumSource
    void recovery_makes_it_all_or_none(Death death) throws IOException, InterruptedException, SQLException {
        die(death);
        origin.cut();
        replica.cut();
        assertThat(group.recover().clean()).isTrue();
        assertOutcome(death.isCommitted());
    }

    @ParameterizedTest
    @EnumSource
    void the_next_operation_makes_it_all_or_none(Death death) throws IOException, InterruptedException, SQLException {
        die(death);
        origin.cut();
        replica.cut();
        TriggerEngine other = group.openEngine(Map.of(), group.connector());
        group.client(other).run("CREATE VIEW next AS SELECT 1 AS one");
        group.client(other).run("DROP VIEW next");
        assertOutcome(death.isCommitted());
    }

    @Test
    void a_prepare_that_was_under_way_cannot_land_after_recovery()
            throws IOException, InterruptedException, SQLException {
        Hold prepare = die(Death.BEFORE_PREPARE);
        origin.cut();
        assertThat(group.recover().clean()).isTrue();
        prepare.release();
        assertOutcome(false);
    }

    @Test
    void a_commit_prepared_that_was_under_way_does_no_harm_after_recovery()
            throws IOException, InterruptedException, SQLException {
        Hold commit = die(Death.BEFORE_COMMIT_PREPARED);
        origin.cut();
        assertThat(group.recover().clean()).isTrue();
        commit.release();
        assertOutcome(true);
    }

    @Test
    void rows_written_between_death_and_recovery_arrive() throws IOException, InterruptedException, SQLException {
        die(Death.BEFORE_COMMIT_PREPARED);
        origin.cut();
        replica.cut();
        group.origin().execute("UPDATE t SET a = 0 WHERE id <= 5", "INSERT INTO made VALUES (1)");
        assertThat(group.recover().clean()).isTrue();
        group.assertEqualNodes();
        assertThat(group.node(2).queryText("SELECT sum(a) FROM t")).isEqualTo("41");
    }

    private void assertOutcome(boolean committed) throws SQLException {
        if (committed) {
            for (PgNode node : group.nodes().nodes()) {
                assertThat(node.queryText("SELECT sum(a) FROM t")).isEqualTo("56");
            }
        } else {
            group.assertUnchanged(before);
        }
        group.assertEqualNodes();
        assertThat(group.origin().queryRows("SELECT state FROM ddlrep.ddl_operation WHERE coordinator = 'child'"))
                .containsExactly(committed ? "committed" : "rolled_back");
        group.run("ALTER TABLE t ADD COLUMN later integer");
        group.assertEqualNodes();
    }
}
