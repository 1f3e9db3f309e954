package io.ddlrep.engine.operation;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends an operation whose client sits idle between its DDL and its COMMIT while the replicas wait. The client's thread
 * holds the turn while it works; the watch acts only when it gets the turn. Thread-safe.
 */
final class IdleWatch {
    private final ScheduledExecutorService timer;
    private final ReentrantLock turn = new ReentrantLock();
    private @Nullable ScheduledFuture<?> armed;

    IdleWatch(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /** The client's thread begins to work: the watch is off. */
    void begin() {
        turn.lock();
        if (armed != null) {
            armed.cancel(false);
            armed = null;
        }
    }

    /**
     * The client's thread hands control back to the client.
     *
     * @param limit how long it may stay idle, or null where no operation is open
     * @param expired runs on the timer's thread, with the turn held; says when to look again, or null for never
     */
    void end(@Nullable Duration limit, Supplier<@Nullable Duration> expired) {
        if (turn.getHoldCount() == 1) {
            arm(limit, expired);
        }
        turn.unlock();
    }

    private void arm(@Nullable Duration limit, Supplier<@Nullable Duration> expired) {
        if (limit != null) {
            armed = timer.schedule(() -> expire(expired), limit.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void expire(Supplier<@Nullable Duration> expired) {
        if (turn.tryLock()) {
            try {
                arm(expired.get(), expired);
            } finally {
                turn.unlock();
            }
        }
    }
}
