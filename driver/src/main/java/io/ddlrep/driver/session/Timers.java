package io.ddlrep.driver.session;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The timer of a driver instance; its one thread ends by itself when nothing waits. Thread-safe. */
final class Timers {
    private final ScheduledThreadPoolExecutor executor;

    Timers() {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "ddlrep query timeout");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(10, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    ScheduledExecutorService executor() {
        return executor;
    }
}
