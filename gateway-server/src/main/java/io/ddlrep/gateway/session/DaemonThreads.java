package io.ddlrep.gateway.session;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that keep no process alive, numbered. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {
    private final String name;
    private final AtomicInteger number = new AtomicInteger();

    /** Called {@code name-1}, {@code name-2}, … */
    public DaemonThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
