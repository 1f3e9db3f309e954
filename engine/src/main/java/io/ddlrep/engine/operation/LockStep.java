package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Steps {@code lock}, {@code drain} and {@code carry} of one statement: the targets on the origin in one slice, then what
 * the replicas lack, then the client's own rows, then the targets on the replicas in one slice. On a miss everything that
 * was taken for this statement is released on every node, and after a back-off it starts again at the origin, so that no
 * writer waits longer than a slice and the drain behind it.
 *
 * <p>Crash before, during or after: only locks and open transactions are lost; what was drained are ordinary rows, right
 * whether or not the DDL succeeds.
 */
final class LockStep {
    private static final String SAVEPOINT = "ddlrep_lock";
    private static final String MARK = "SAVEPOINT " + SAVEPOINT + "; ";

    private final OperationContext context;
    private final LockPlan plan;
    private final DrainStep drain;
    private @Nullable Entry entry;
    private boolean companionsMarked;

    /**
     * Makes the step.
     *
     * @param entry what has to be said in the client's session before the first lock, in the same message
     */
    LockStep(OperationContext context, LockPlan plan, Entry entry) {
        this.context = context;
        this.plan = plan;
        this.drain = new DrainStep(context);
        this.entry = entry;
    }

    /**
     * Takes the locks. Leaves lock_timeout of every session at what is left of the budget.
     *
     * @throws io.ddlrep.engine.DdlrepException 55P03 with the blockers when the budget ends
     * @throws NodeException 40P01 at once; anything else as it came
     */
    void run() {
        while (true) {
            long began = System.nanoTime();
            long watermark = context.watermark();
            try {
                attempt();
                context.spendLockBudget(System.nanoTime() - began);
                return;
            } catch (NodeException e) {
                if (!e.sqlState().equals("55P03")) {
                    throw e;
                }
                missed(e, began, watermark);
            }
        }
    }

    private void attempt() {
        Link origin = context.client();
        Entry first = entry;
        companionsMarked = false;
        if (first == null) {
            origin.session().update(MARK + lock(1), (int) slice().toMillis(), budgetMillis());
        } else {
            entry = null;
            first.enter(origin, MARK + lock(Entry.FREE), (int) slice().toMillis(), budgetMillis());
        }
        context.locked();
        drain.run();
        boolean carries = drain.hasOwnRows();
        if (carries) {
            companionsMarked = true;
            companions(session -> session.execute("SAVEPOINT " + SAVEPOINT));
            drain.carry();
        }
        companionsMarked = true;
        companions(
                session -> session.update((carries ? "" : MARK) + lock(1), (int) slice().toMillis(), budgetMillis()));
    }

    /** The savepoints stay: they cost nothing more, and releasing them would cost another message to every node. */
    private String lock(int firstParameter) {
        return "SELECT ddlrep.lock_slice($" + firstParameter + "::int); " + plan.sql() + "; SELECT ddlrep.lock_slice($"
                + (firstParameter + 1) + "::int)";
    }

    private void companions(Consumer<NodeSession> task) {
        List<Runnable> tasks = new ArrayList<>();
        context.companions().forEach(c -> tasks.add(() -> task.accept(c.session())));
        context.services().fan().all(tasks);
    }

    /** Gives back what was taken for this statement, on all nodes. */
    private void release() {
        String sql = "ROLLBACK TO SAVEPOINT " + SAVEPOINT + "; RELEASE SAVEPOINT " + SAVEPOINT;
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(() -> context.client().session().execute(sql));
        if (companionsMarked) {
            context.companions().forEach(c -> tasks.add(() -> c.session().execute(sql)));
        }
        context.services().fan().all(tasks);
    }

    private int budgetMillis() {
        return (int)
                Math.max(1, Math.min(Integer.MAX_VALUE, context.lockBudget().toMillis()));
    }

    private Duration slice() {
        Duration budget = context.lockBudget();
        Duration slice = context.settings().lockSlice();
        return budget.compareTo(slice) < 0 && !budget.isZero() ? budget : slice;
    }

    private void missed(NodeException miss, long began, long watermark) {
        // Who stands in the way is asked while he still does.
        List<String> blockers = budgetEnds(began) ? Blockers.of(context, miss.node(), plan.tables()) : List.of();
        release();
        context.watermark(watermark);
        if (!budgetEnds(began)) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(20_000_000L, 80_000_000L));
        }
        context.spendLockBudget(System.nanoTime() - began);
        if (context.lockBudget().isZero()) {
            List<String> seen = blockers.isEmpty() ? Blockers.of(context, miss.node(), plan.tables()) : blockers;
            throw Errors.of(
                    "55P03",
                    "could not lock " + String.join(", ", plan.tables()) + " on every node within "
                            + context.settings().lockWait().toMillis() + " ms; nothing was changed",
                    seen.isEmpty() ? "Node " + miss.node() + ": " + miss.error().message() : String.join("\n", seen),
                    "Wait for the sessions above, or end them; ddlrep.lock_wait sets how long to try.");
        }
    }

    private boolean budgetEnds(long began) {
        return context.lockBudget().toNanos() <= System.nanoTime() - began;
    }
}
