package io.ddlrep.gateway.ddl;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets operations begin, or has them wait. Thread-safe. */
public final class DdlGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean paused;

    /** One that is open. */
    public DdlGate() {}

    /** Who waits; one client's. */
    static final class Waiter {
        private boolean waiting;
        private boolean cancelled;
    }

    /** Operations wait from now on. */
    public void pause() {
        set(true);
    }

    /** They go on. */
    public void resume() {
        set(false);
    }

    /** Whether they wait. */
    public boolean isPaused() {
        lock.lock();
        try {
            return paused;
        } finally {
            lock.unlock();
        }
    }

    private void set(boolean wanted) {
        lock.lock();
        try {
            paused = wanted;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits while the gate is closed.
     *
     * @throws NodeException 57014 when the client gave up
     */
    void pass(Waiter waiter, String node) {
        lock.lock();
        try {
            waiter.waiting = true;
            waiter.cancelled = false;
            while (paused && !waiter.cancelled) {
                changed.awaitUninterruptibly();
            }
            if (waiter.cancelled) {
                throw new NodeException(
                        node, ServerError.canceled().with("An admin of the gateway has paused DDL.", null), null);
            }
        } finally {
            waiter.waiting = false;
            lock.unlock();
        }
    }

    /** Has the waiter give up, if it waits. */
    boolean cancel(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.waiting) {
                waiter.cancelled = true;
                changed.signalAll();
            }
            return waiter.waiting;
        } finally {
            lock.unlock();
        }
    }
}
