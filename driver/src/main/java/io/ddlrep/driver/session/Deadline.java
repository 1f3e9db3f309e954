package io.ddlrep.driver.session;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A statement's query timeout while the engine works for it. Once it is closed nothing is cancelled any more: the
 * timeout of one statement never hits the next. Closed by the thread that made it; fires in the timer's thread.
 */
final class Deadline implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Runnable cancel;
    private @Nullable ScheduledFuture<?> timer;
    private boolean over;

    private Deadline(Runnable cancel) {
        this.cancel = cancel;
    }

    /** Calls {@code cancel} after so many seconds; 0 means never. */
    static Deadline in(int seconds, Timers timers, Runnable cancel) {
        Deadline deadline = new Deadline(cancel);
        if (seconds > 0) {
            deadline.timer = timers.executor().schedule(deadline::fire, seconds, TimeUnit.SECONDS);
        }
        return deadline;
    }

    private void fire() {
        lock.lock();
        try {
            if (!over) {
                cancel.run();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            over = true;
            if (timer != null) {
                timer.cancel(false);
            }
        } finally {
            lock.unlock();
        }
    }
}
