package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.proxy.FaultProxy;
import io.ddlrep.testkit.proxy.Hold;
import io.ddlrep.testkit.proxy.WireMessage;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
        WHILE_A_STATEMENT_RUNS(false, m -> m.contains("CREATE TABLE made"), false),
        /** One replica has prepared, the other has not. */
        BEFORE_PREPARE(false, m -> m.contains("PREPARE TRANSACTION 'ddlrep:"), false),
        /** The replicas have prepared, the origin has not committed. */
        BEFORE_COMMIT(true, m -> m.text().contains("\0COMMIT\0"), false),
        /** The origin has committed, one replica has not. */
        BEFORE_COMMIT_PREPARED(false, m -> m.contains("COMMIT PREPARED 'ddlrep:"), true);

        private final boolean atOrigin;
        private final Predicate<WireMessage> message;
        private final boolean committed;

        Death(boolean atOrigin, Predicate<WireMessage> message, boolean committed) {
            this.atOrigin = atOrigin;
            this.message = message;
            this.committed = committed;
        }
    }

    @BeforeEach
    void start() throws Exception {
        group = TestGroup.create("death");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v text)");
        group.origin().execute("INSERT INTO t SELECT g, 'v' FROM generate_series(1, 10) g");
        group.synchronize();
        origin = group.closing(FaultProxy.before(group.origin()));
        replica = group.closing(FaultProxy.before(group.node(2)));
        before = group.state();
    }

    @AfterEach
    void stop() throws Exception {
        group.close();
    }

    /** Runs the coordinator up to a message, and kills it there. */
    private Hold die(Death death) throws IOException, InterruptedException {
        Hold hold = (death.atOrigin ? origin : replica).holdWhen(death.message);
        PgNode node = group.origin();
        Process child = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CoordinatorMain.class.getName(),
                        node.database(),
                        node.superuser(),
                        node.password(),
                        Integer.toString(origin.node().port()),
                        Integer.toString(node.port()),
                        Integer.toString(replica.node().port()))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(new File(logs, "child.log")))
                .start();
        try {
            hold.await(LIMIT);
        } finally {
            child.destroyForcibly().waitFor();
        }
        return hold;
    }

    @ParameterizedTest
    @EnumSource
    void recovery_makes_it_all_or_none(Death death) throws Exception {
        die(death);
        origin.cut();
        replica.cut();
        assertThat(group.recover().clean()).isTrue();
        assertOutcome(death.committed);
    }

    @ParameterizedTest
    @EnumSource
    void the_next_operation_makes_it_all_or_none(Death death) throws Exception {
        die(death);
        origin.cut();
        replica.cut();
        TriggerEngine other = group.openEngine(Map.of(), group.connector());
        group.client(other).run("CREATE VIEW next AS SELECT 1 AS one");
        group.client(other).run("DROP VIEW next");
        assertOutcome(death.committed);
    }

    @Test
    void a_prepare_that_was_under_way_cannot_land_after_recovery() throws Exception {
        Hold prepare = die(Death.BEFORE_PREPARE);
        origin.cut();
        assertThat(group.recover().clean()).isTrue();
        prepare.release();
        assertOutcome(false);
    }

    @Test
    void a_commit_prepared_that_was_under_way_does_no_harm_after_recovery() throws Exception {
        Hold commit = die(Death.BEFORE_COMMIT_PREPARED);
        origin.cut();
        assertThat(group.recover().clean()).isTrue();
        commit.release();
        assertOutcome(true);
    }

    @Test
    void rows_written_between_death_and_recovery_arrive() throws Exception {
        die(Death.BEFORE_COMMIT_PREPARED);
        origin.cut();
        replica.cut();
        group.origin().execute("UPDATE t SET a = 0 WHERE id <= 5", "INSERT INTO made VALUES (1)");
        assertThat(group.recover().clean()).isTrue();
        group.assertEqualNodes();
        assertThat(group.node(2).queryText("SELECT sum(a) FROM t")).isEqualTo("41");
    }

    private void assertOutcome(boolean committed) throws Exception {
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
