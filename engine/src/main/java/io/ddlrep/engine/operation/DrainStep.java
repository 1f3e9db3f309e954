package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.substrate.Carried;
import io.ddlrep.engine.substrate.OwnRows;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Standing;
import io.ddlrep.engine.substrate.Substrate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Steps {@code presync}, {@code drain} and {@code carry}: ordinary rows first, then the client's own, never the other
 * order, or others' older rows would overwrite the client's.
 *
 * <p>Crash before, during or after a drain: its rows are applied and committed with their position, or not at all. Crash
 * during or after a carry: the companions' transactions are rolled back by their servers.
 */
final class DrainStep {
    private static final int PRESYNC_ROUNDS = 10;

    /** The longest drain under the lock that is begun knowingly. */
    private static final Duration BEARABLE = Duration.ofSeconds(1);

    private final OperationContext context;
    private @Nullable List<Lag> first;

    DrainStep(OperationContext context) {
        this.context = context;
    }

    /** A replica in a publication. */
    record Lag(String publication, String replica) {}

    /** Asks where the replicas are, for {@link #presync}; may run beside other steps. */
    void look() {
        first = lags();
    }

    /**
     * Brings the replicas close while writers still run, so that the drain under the lock is short. A round that is shorter
     * than {@code lock_slice} is what is wanted; on a busy machine a longer one is taken after the last round, as long as
     * writers wait for {@link #BEARABLE} at most.
     *
     * @throws io.ddlrep.engine.DdlrepException 55000 when they do not come close
     */
    void presync() {
        long wanted = context.settings().lockSlice().toNanos();
        long deadline = System.nanoTime() + context.settings().lockWait().toNanos();
        long last = Long.MAX_VALUE;
        for (int round = 0; round < PRESYNC_ROUNDS && System.nanoTime() < deadline; round++) {
            List<Lag> looked = first;
            List<Lag> lags = looked != null && round == 0 ? looked : lags();
            if (lags.isEmpty()) {
                return;
            }
            long began = System.nanoTime();
            synchronize(lags);
            last = System.nanoTime() - began;
            if (last < wanted) {
                return;
            }
        }
        if (last > BEARABLE.toNanos()) {
            List<Lag> behind = lags();
            throw Errors.notReady(
                    "the replicas do not catch up with the writers, so nothing was changed",
                    "Behind: " + behind.stream().map(Lag::replica).distinct().toList() + "; the last round took "
                            + Duration.ofNanos(last).toMillis() + " ms",
                    "Send the statement again when less is written, or look at: ddlrep status");
        }
    }

    /** Applies what replicas lack as of now and commits it there. */
    void run() {
        List<Lag> lags = lags();
        if (!lags.isEmpty()) {
            synchronize(lags);
        }
    }

    private List<Lag> lags() {
        ConcurrentLinkedQueue<Lag> found = new ConcurrentLinkedQueue<>();
        List<Runnable> tasks = new ArrayList<>();
        Substrate substrate = context.services().substrate();
        for (Group.Publication publication : context.publications()) {
            for (Group.ReplicaState replica : publication.replicas()) {
                Lag lag = new Lag(publication.name(), replica.node());
                tasks.add(() -> {
                    // A replica never goes back, so where it was a moment ago is good enough to see that nothing is
                    // missing.
                    Standing standing = context.standings()
                            .computeIfAbsent(lag, l -> substrate.standing(l.publication(), l.replica()));
                    if (substrate.isBehind(publication.name(), standing)) {
                        found.add(lag);
                    }
                });
            }
        }
        context.services().fan().all(tasks);
        return List.copyOf(found);
    }

    private void synchronize(List<Lag> lags) {
        Substrate substrate = context.services().substrate();
        Point now = substrate.mark();
        List<Runnable> tasks = new ArrayList<>();
        for (Lag lag : lags) {
            tasks.add(() -> {
                context.standings().remove(lag);
                substrate.synchronize(lag.publication(), lag.replica(), now);
            });
        }
        context.services().fan().all(tasks);
    }

    /** Whether the client's transaction holds rows that were not carried. */
    boolean hasOwnRows() {
        return context.mayHaveOwnRows() && context.services().substrate().hasOwnRows(context.client(), own());
    }

    /** Carries the client's own rows; the caller has just drained. */
    void carry() {
        if (hasOwnRows()) {
            Carried carried = context.services()
                    .substrate()
                    .carry(
                            context.client(),
                            context.companionSessions(),
                            own(),
                            context.services().fan());
            context.watermark(Math.max(context.watermark(), carried.lastSeq()));
        }
    }

    private OwnRows own() {
        return new OwnRows(context.op().text(), context.publicationNames(), context.watermark());
    }
}
