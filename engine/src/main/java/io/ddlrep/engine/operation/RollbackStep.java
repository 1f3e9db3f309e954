package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.TransactionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Rolls the companions back. The origin's transaction is aborted before, so that no decision can appear any more.
 *
 * <p>Crash before, during or after: open transactions are rolled back by their servers, prepared ones by recovery.
 */
final class RollbackStep {
    private final OperationContext context;

    RollbackStep(OperationContext context) {
        this.context = context;
    }

    /**
     * Rolls back every companion that still answers.
     *
     * @return nodes that did not
     */
    List<String> run() {
        ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
        List<Runnable> tasks = new ArrayList<>();
        for (Companion companion : context.companions()) {
            tasks.add(() -> {
                if (!rollBack(companion)) {
                    lost.add(companion.node());
                }
            });
        }
        context.services().fan().all(tasks);
        return List.copyOf(lost);
    }

    private boolean rollBack(Companion companion) {
        try {
            if (companion.session().isClosed()) {
                return false;
            }
            if (companion.session().transactionStatus() != TransactionStatus.IDLE) {
                companion.session().execute("ROLLBACK");
            } else if (isPrepared(companion)) {
                companion
                        .session()
                        .execute("ROLLBACK PREPARED " + companion.gid().literal());
            }
            return true;
        } catch (NodeException e) {
            return false;
        }
    }

    private static boolean isPrepared(Companion companion) {
        return !companion
                .session()
                .query(
                        "SELECT FROM pg_catalog.pg_prepared_xacts WHERE gid = $1",
                        companion.gid().toString())
                .isEmpty();
    }
}
