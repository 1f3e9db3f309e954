package io.ddlrep.testkit.proxy;

import io.ddlrep.testkit.TestkitException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A trap for one message: the first one that matches stops before it is forwarded, and with it all that follows in its
 * direction of its connection, until {@link #release()}. Other connections go on. Thread-safe.
 */
public final class Hold {

    private final Predicate<WireMessage> when;
    private final AtomicBoolean sprung = new AtomicBoolean();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    Hold(Predicate<WireMessage> when) {
        this.when = when;
    }

    /** Waits until the message is held; fails when none has come within the limit. */
    public void await(Duration limit) {
        try {
            if (!held.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TestkitException("no such message passed the proxy within " + limit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while waiting for a message", e);
        }
    }

    public boolean isHeld() {
        return held.getCount() == 0 && released.getCount() > 0;
    }

    /** Lets the held message go on, or disarms the trap. */
    public void release() {
        sprung.set(true);
        released.countDown();
    }

    /** Called before a message is forwarded; returns when it may be. */
    void pass(WireMessage message) throws InterruptedException {
        if (!sprung.get() && when.test(message) && sprung.compareAndSet(false, true)) {
            held.countDown();
            released.await();
        }
    }
}
