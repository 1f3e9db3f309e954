package io.ddlrep.engine.operation;

import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.parser.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Steps {@code prepare} and {@code commit}, after {@code decide} (see {@link SettleStep}).
 *
 * <pre>
 * client session        companions
 * decide: INSERT decision('commit')
 *                       prepare: PREPARE TRANSACTION (in parallel)
 * commit: COMMIT        -- the decision is durable here, and only here
 *                       commit: COMMIT PREPARED (in parallel)
 * </pre>
 *
 * <p>Crash before the client's COMMIT: no decision row; recovery fences with {@code abort} and rolls prepared
 * transactions back. Crash after it: recovery reads {@code commit} and commits them.
 */
final class CommitStep {
    private final OperationContext context;

    CommitStep(OperationContext context) {
        this.context = context;
    }

    /** A companion that could not finish although the operation is committed. */
    record Unfinished(Companion companion, NodeException reason) {}

    /**
     * Prepares the companions; the decision row is inserted.
     *
     * @param completing SQL for the companions from {@link SettleStep#run}
     */
    void prepare(String completing) {
        List<Runnable> tasks = new ArrayList<>();
        for (Companion companion : context.companions()) {
            // Whoever prepares may commit: a role that the service can become, and that has no rights. It stays the
            // session's role, so that COMMIT PREPARED is one message.
            String prepare = context.preparer(companion.node())
                    .map(role -> "; SET ROLE " + new ObjectName(null, role).quoted() + "; PREPARE TRANSACTION "
                            + companion.gid().literal())
                    .orElse("");
            tasks.add(() -> companion.link().runBetween("SET CONSTRAINTS ALL IMMEDIATE; ", completing, prepare));
        }
        context.services().fan().all(tasks);
    }

    /** Sends the client's own COMMIT. */
    void commitOrigin(OriginCall call) {
        call.run();
    }

    /** Commits the companions; the operation is committed whatever they answer. */
    List<Unfinished> commitReplicas() {
        ConcurrentLinkedQueue<Unfinished> unfinished = new ConcurrentLinkedQueue<>();
        List<Runnable> tasks = new ArrayList<>();
        for (Companion companion : context.companions()) {
            tasks.add(() -> {
                try {
                    companion
                            .session()
                            .execute(
                                    context.canPrepare(companion.node())
                                            ? "COMMIT PREPARED "
                                                    + companion.gid().literal()
                                            : "COMMIT");
                } catch (NodeException e) {
                    unfinished.add(new Unfinished(companion, e));
                }
            });
        }
        context.services().fan().all(tasks);
        return List.copyOf(unfinished);
    }
}
