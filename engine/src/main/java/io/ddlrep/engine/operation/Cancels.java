package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.time.Duration;

/**
 * Cancels what is done for a client, on any node. A server forgets a request that meets an idle session, and between two
 * messages every session is idle: so the request is repeated until the call has ended, or has come to where nothing is to be
 * cancelled any more. Thread-safe.
 */
final class Cancels {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int MOST = 100;

    private boolean running;
    private boolean deaf;
    private boolean requested;

    /** A call begins. */
    synchronized void begin() {
        running = true;
        deaf = false;
        requested = false;
    }

    /** It has ended; waits for a request that is on its way, which must not meet the next call. */
    synchronized void end() {
        running = false;
        notifyAll();
    }

    /** From now on this call is not cancelled: it commits, or cleans up. */
    synchronized void deafen() {
        deaf = true;
        notifyAll();
    }

    /**
     * For waits of our own, in which no server runs anything that it could cancel.
     *
     * @param node the client's
     * @throws NodeException 57014 when the call is cancelled
     */
    synchronized void check(String node) {
        if (requested && !deaf) {
            throw new NodeException(node, ServerError.canceled(), null, false);
        }
    }

    /**
     * Cancels, and waits up to ten seconds for the call to end.
     *
     * @param request asks every node once, and returns when each has the request
     */
    synchronized void cancel(Runnable request) {
        requested = running && !deaf;
        for (int asked = 0; asked < MOST && !deaf; asked++) {
            request.run();
            if (!running) {
                return;
            }
            try {
                wait(PAUSE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            if (!running) {
                return;
            }
        }
    }
}
