package io.ddlrep.gateway.session;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The sessions of a gateway, each from its login until both of its connections are closed. Thread-safe. */
public final class OpenSessions {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private final Set<GatewaySession> open = new HashSet<>();
    private boolean draining;

    /** For a gateway that has begun. */
    public OpenSessions() {}

    void add(GatewaySession session) {
        lock.lock();
        try {
            open.add(session);
            if (draining) {
                session.drain();
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(GatewaySession session) {
        lock.lock();
        try {
            open.remove(session);
            if (open.isEmpty()) {
                none.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends each session as soon as it is outside a transaction and has been answered, and waits for all of them.
     *
     * @param limit how long to wait
     * @return whether all have ended
     */
    public boolean drain(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            draining = true;
            open.forEach(GatewaySession::drain);
            long left = limit.toNanos();
            while (!open.isEmpty() && left > 0) {
                left = none.awaitNanos(left);
            }
            return open.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
