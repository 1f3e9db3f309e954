package io.ddlrep.gateway.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the process to be told to end, by Ctrl-C or SIGTERM; the process then waits for what is closed before this. */
final class StopSignal implements AutoCloseable {
    private static final int SECONDS = 10;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    private StopSignal() {}

    /** Listens for it from now on. */
    static StopSignal install() {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(new Thread(signal::endAndWait, "ddlrep-stop"));
        return signal;
    }

    private void endAndWait() {
        asked.countDown();
        try {
            if (!done.await(SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
