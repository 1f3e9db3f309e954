package io.ddlrep.gateway.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the process to be told to end, by Ctrl-C or SIGTERM; the process then waits for what is closed before this. */
final class StopSignal implements AutoCloseable {
    private static final Duration USUAL = Duration.ofSeconds(10);

    private final Duration limit;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    private StopSignal(Duration limit) {
        this.limit = limit;
    }

    /** Listens for it from now on. */
    static StopSignal install() {
        return install(Duration.ZERO);
    }

    /**
     * Listens for it from now on.
     *
     * @param more how long the process may take to end, beyond the usual
     */
    static StopSignal install(Duration more) {
        StopSignal signal = new StopSignal(USUAL.plus(more));
        Runtime.getRuntime().addShutdownHook(new Thread(signal::endAndWait, "ddlrep-stop"));
        return signal;
    }

    private void endAndWait() {
        asked.countDown();
        try {
            if (!done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The process is told to end by somebody inside it; does not wait. */
    void ask() {
        asked.countDown();
    }

    /** Waits as long as it takes. */
    void await() throws InterruptedException {
        asked.await();
    }

    /** Waits; true once it has come. */
    boolean await(Duration limit) throws InterruptedException {
        return asked.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        done.countDown();
    }
}
