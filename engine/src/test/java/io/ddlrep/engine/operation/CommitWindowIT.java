package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.substrate.OperationPendingException;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Substrate;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.load.LoadGenerator;
import io.ddlrep.testkit.load.LoadPlan;
import io.ddlrep.testkit.load.LoadReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Between the moment when a server shows a transaction as committed and the moment when it tells other sessions that their
 * catalog caches are stale, it removes the files of dropped relations: a session may then read a control row of after the
 * operation, and still call a function of before it. Whoever applies rows in that moment must not use the old function.
 */
class CommitWindowIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Each is rewritten by the operation, so the window is as long as it takes to remove as many files. */
    private static final int INDEXES = 150;

    private static final int ROUNDS = 2;

    @Test
    void rows_applied_in_the_moment_of_a_commit_are_applied_by_the_new_function() throws Exception {
        try (TestGroup group = TestGroup.create("window")) {
            StringBuilder indexes = new StringBuilder();
            for (int i = 0; i < INDEXES; i++) {
                indexes.append("; CREATE INDEX ON t (w)");
            }
            group.run("CREATE TABLE t (id integer NOT NULL, w varchar(40))" + indexes);
            group.origin().execute("INSERT INTO t SELECT g, 'old' FROM generate_series(1, 50) g");
            group.synchronize();
            AtomicBoolean done = new AtomicBoolean();
            List<CompletableFuture<Void>> appliers = new ArrayList<>();
            for (PgNode replica : List.of(group.node(2), group.node(3))) {
                appliers.add(CompletableFuture.runAsync(() -> applyUntil(done, group, replica.name())));
            }
            try (LoadGenerator load = LoadPlan.of(2, 11)
                    .add(
                            1,
                            session -> session.execute(
                                    "UPDATE t SET w = ? WHERE id = ?",
                                    "w" + session.random().nextInt(),
                                    session.random().nextInt(1, 51)))
                    .start(group.origin()::connect)) {
                for (int round = 0; round < ROUNDS; round++) {
                    load.awaitCommits(20, LIMIT);
                    group.run("ALTER TABLE t ALTER COLUMN w TYPE varchar(" + (41 + round) + ") USING w || '';"
                            + " ALTER TABLE t ADD PRIMARY KEY (id)");
                    load.awaitCommits(20, LIMIT);
                    group.run("ALTER TABLE t DROP CONSTRAINT t_pkey");
                }
                LoadReport report = load.stop();
                assertThat(report.errors()).isEmpty();
            }
            done.set(true);
            appliers.forEach(CompletableFuture::join);
            group.assertEqualNodes();
        }
    }

    /** Without the pause of the replicator, which would often sleep through the window. */
    private static void applyUntil(AtomicBoolean done, TestGroup group, String replica) {
        Substrate substrate = group.engine().services().substrate();
        while (!done.get()) {
            Point now = substrate.mark();
            while (!done.get() && !synchronize(substrate, replica, now)) {
                Thread.onSpinWait();
            }
        }
    }

    private static boolean synchronize(Substrate substrate, String replica, Point now) {
        try {
            substrate.synchronize(TestGroup.PUBLICATION, replica, now);
            return true;
        } catch (OperationPendingException e) {
            return false;
        }
    }
}
