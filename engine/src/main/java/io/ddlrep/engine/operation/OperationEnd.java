package io.ddlrep.engine.operation;

import io.ddlrep.engine.Notice;
import io.ddlrep.engine.node.NodeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How an operation ends: the companions are rolled back, or are committed already; nodes that did not follow are marked as
 * dirty, the journal gets its result, the turn and the service session are given back. Used by the thread that owns the
 * client's session.
 *
 * <p>Crash before, during or after: the journal still says open, and recovery goes by the decision row.
 */
final class OperationEnd {
    private final TriggerEngine engine;
    private final Consumer<Notice> notices;

    OperationEnd(TriggerEngine engine, Consumer<Notice> notices) {
        this.engine = engine;
        this.notices = notices;
    }

    /** The client's transaction is rolled back, or will be: no decision can appear any more. */
    void rolledBack(OperationContext context, String result) {
        List<String> lost = new RollbackStep(context).run();
        try {
            for (String node : lost) {
                Journal.dirty(
                        context.service(),
                        context.publicationNames(),
                        node,
                        "lost during operation " + context.op() + ": " + result);
            }
            Journal.finish(context.service(), context, lost.isEmpty() ? "rolled_back" : "unresolved", result);
            engine.services().giveBack(context.service());
        } catch (NodeException e) {
            // The journal still says open: the next operation, or ddlrep recover, finds it.
            engine.warn("the result of operation " + context.op() + " could not be written", e);
            context.service().close();
        }
    }

    /**
     * What ran outside a transaction block stays.
     *
     * @param left nodes that may still take it back, with the reason
     */
    void kept(OperationContext context, List<String> left) {
        finish(
                context,
                left.isEmpty() ? "committed" : "unresolved",
                left.isEmpty() ? "committed" : "committed; to be finished: " + String.join("; ", left));
        engine.tell(context, notices);
    }

    /**
     * What ran outside a transaction block was taken back.
     *
     * @param left nodes where that was not possible, with the reason
     */
    void takenBack(OperationContext context, String result, List<String> left) {
        finish(
                context,
                left.isEmpty() ? "rolled_back" : "unresolved",
                left.isEmpty() ? result : result + "; to be taken back: " + String.join("; ", left));
    }

    private void finish(OperationContext context, String state, String result) {
        try {
            Journal.finish(context.service(), context, state, result);
            engine.services().giveBack(context.service());
        } catch (NodeException e) {
            engine.warn("the result of operation " + context.op() + " could not be written", e);
            context.service().close();
        }
    }

    /**
     * What became of a COMMIT that was sent and whose answer is no proof: what the decision row says. Empty where nobody can
     * say; the journal still says open then.
     */
    Optional<Boolean> decision(OperationContext context) {
        try {
            return Optional.of(Recovery.committed(context.service(), context.op()));
        } catch (NodeException e) {
            engine.warn("what became of operation " + context.op() + " is not known: run ddlrep recover", e);
            context.service().close();
            return Optional.empty();
        }
    }

    /** The client's COMMIT was sent and its answer was never read: the decision row says what becomes of the companions. */
    void unknown(OperationContext context, String result) {
        Optional<Boolean> committed = decision(context);
        if (committed.isEmpty()) {
            return;
        }
        if (committed.get()) {
            committed(context, new CommitStep(context).commitReplicas());
        } else {
            rolledBack(context, result);
        }
    }

    /**
     * The client's transaction is committed.
     *
     * @param unfinished replicas that did not follow
     */
    void committed(OperationContext context, List<CommitStep.Unfinished> unfinished) {
        try {
            for (CommitStep.Unfinished node : unfinished) {
                Journal.dirty(
                        context.service(),
                        context.publicationNames(),
                        node.companion().node(),
                        "operation " + context.op() + " is committed but not finished here: "
                                + node.reason().error().message());
            }
            Journal.finish(context.service(), context, unfinished.isEmpty() ? "committed" : "unresolved", "committed");
            engine.services().giveBack(context.service());
        } catch (NodeException e) {
            engine.warn("the result of operation " + context.op() + " could not be written", e);
            context.service().close();
        }
        engine.tell(context, notices);
    }
}
