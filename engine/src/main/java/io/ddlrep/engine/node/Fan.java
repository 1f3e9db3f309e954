package io.ddlrep.engine.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs one task for each node at the same time and joins them: concurrency begins and ends inside a step. Thread-safe.
 */
public final class Fan {
    private final ExecutorService threads;

    /**
     * Makes a fan.
     *
     * @param threads where tasks run; never refuses
     */
    public Fan(ExecutorService threads) {
        this.threads = threads;
    }

    /**
     * Runs all tasks, the first on the calling thread, and waits for all, also when some fail.
     *
     * @throws RuntimeException the first task's failure in the order of the list; others are suppressed in it
     */
    public void all(List<Runnable> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        List<Future<?>> others = new ArrayList<>();
        RuntimeException failure = null;
        try {
            for (Runnable task : tasks.subList(1, tasks.size())) {
                others.add(threads.submit(task));
            }
            tasks.get(0).run();
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            // Also after an Error: nothing may go on behind the caller's back.
            for (Future<?> other : others) {
                failure = join(other, failure);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable RuntimeException join(Future<?> task, @Nullable RuntimeException failure) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    task.get();
                    return failure;
                } catch (InterruptedException e) {
                    // The tasks work in sessions of the operation: it must not go on before they are done.
                    interrupted = true;
                } catch (ExecutionException e) {
                    RuntimeException own = e.getCause() instanceof RuntimeException runtime
                            ? runtime
                            : new IllegalStateException(e.getCause());
                    if (failure == null) {
                        return own;
                    }
                    if (failure != own) {
                        failure.addSuppressed(own);
                    }
                    return failure;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
