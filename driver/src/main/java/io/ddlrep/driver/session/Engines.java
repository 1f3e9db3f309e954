package io.ddlrep.driver.session;

import io.ddlrep.engine.DdlEngine;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engines that the open connections of one driver instance share: one for each group and configuration, opened when
 * the first connection needs it, closed with the last connection that used it. Thread-safe; no lock of one engine is held
 * while another opens.
 */
public final class Engines {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<EngineKey, Shared> shared = new HashMap<>();
    private final Timers timers = new Timers();

    /** Engines that are open; for tests and for the curious. */
    public int size() {
        lock.lock();
        try {
            return shared.size();
        } finally {
            lock.unlock();
        }
    }

    Timers timers() {
        return timers;
    }

    /** A share in the engine of {@code key}; the first one opens it. */
    Lease lease(EngineKey key, Supplier<DdlEngine> opener) {
        Shared entry;
        lock.lock();
        try {
            entry = shared.computeIfAbsent(key, ignored -> new Shared());
            entry.users++;
        } finally {
            lock.unlock();
        }
        Lease lease = new Lease(key, entry);
        try {
            entry.open(opener);
            return lease;
        } catch (RuntimeException e) {
            lease.close();
            throw e;
        }
    }

    private boolean leave(EngineKey key, Shared entry) {
        lock.lock();
        try {
            entry.users--;
            if (entry.users > 0) {
                return false;
            }
            shared.remove(key, entry);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** One connection's share; closed by the thread that owns the connection. */
    final class Lease implements AutoCloseable {
        private final EngineKey key;
        private final Shared entry;
        private boolean closed;

        private Lease(EngineKey key, Shared entry) {
            this.key = key;
            this.entry = entry;
        }

        DdlEngine engine() {
            return entry.engine();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                if (leave(key, entry)) {
                    entry.close();
                }
            }
        }
    }

    private static final class Shared {
        private final ReentrantLock opening = new ReentrantLock();
        /** Guarded by the lock of the outer class. */
        private int users;

        private @Nullable DdlEngine engine;

        void open(Supplier<DdlEngine> opener) {
            opening.lock();
            try {
                if (engine == null) {
                    engine = opener.get();
                }
            } finally {
                opening.unlock();
            }
        }

        DdlEngine engine() {
            opening.lock();
            try {
                if (engine == null) {
                    throw new IllegalStateException("the engine was closed");
                }
                return engine;
            } finally {
                opening.unlock();
            }
        }

        void close() {
            opening.lock();
            try {
                if (engine != null) {
                    engine.close();
                    engine = null;
                }
            } finally {
                opening.unlock();
            }
        }
    }
}
