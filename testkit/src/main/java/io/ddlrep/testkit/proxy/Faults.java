package io.ddlrep.testkit.proxy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** What happens to messages of one direction. Thread-safe. */
final class Faults {

    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private volatile Duration delay = Duration.ZERO;
    private boolean closed;

    void delay(Duration value) {
        delay = value;
    }

    Duration delay() {
        return delay;
    }

    Hold holdWhen(Predicate<WireMessage> when) {
        Hold hold = new Hold(when);
        holds.add(hold);
        return hold;
    }

    /** Stops every message until {@link #releaseAll}. */
    synchronized void close() {
        closed = true;
    }

    synchronized void releaseAll() {
        closed = false;
        holds.forEach(Hold::release);
        holds.clear();
        notifyAll();
    }

    /** Returns when the message may be forwarded. */
    void pass(WireMessage message) throws InterruptedException {
        awaitOpen();
        for (Hold hold : holds) {
            hold.pass(message);
        }
    }

    private synchronized void awaitOpen() throws InterruptedException {
        while (closed) {
            wait();
        }
    }
}
