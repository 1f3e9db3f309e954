package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.substrate.LostHistoryException;
import io.ddlrep.engine.substrate.OperationPendingException;
import io.ddlrep.engine.substrate.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one replica of one publication to each new point. {@link #run} is one thread's; all else is thread-safe. Never
 * ends silently: every failure is a named state, a log line and a back-off.
 */
final class ReplicaWorker {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaWorker.class);

    /** Raised by apply functions when the replica's rows are not the origin's. */
    static final String MISMATCH = "R0001";

    private static final Duration PENDING = Duration.ofMillis(20);
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LAST_RETRY = Duration.ofSeconds(10);

    private final TriggerSubstrate substrate;
    private final String publication;
    private final String replica;
    private final DirtyMarker dirty;
    private final Semaphore wakeups = new Semaphore(0);
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean closed;
    private volatile String state = "active";
    private volatile ReplicaStatus status;
    private Duration retry = FIRST_RETRY;

    ReplicaWorker(TriggerSubstrate substrate, String publication, String replica, DirtyMarker dirty) {
        this.substrate = substrate;
        this.publication = publication;
        this.replica = replica;
        this.dirty = dirty;
        this.status = new ReplicaStatus(
                publication, replica, ReplicaStatus.State.WORKING, Instant.now(), 0, Duration.ZERO, "");
    }

    ReplicaStatus status() {
        return status;
    }

    /** Tells the worker what {@code publication_node} says. */
    void stateIs(String now) {
        if (!state.equals(now)) {
            state = now;
            wake();
        }
    }

    /** There may be a new point. */
    void wake() {
        wakeups.release();
    }

    void close() {
        closed = true;
        end.countDown();
        wake();
    }

    void run(Supplier<@Nullable Point> latest) {
        @Nullable Point done = null;
        while (!closed) {
            Point next = latest.get();
            if (!state.equals("active")) {
                enter(state.equals("dirty") ? ReplicaStatus.State.DIRTY : ReplicaStatus.State.PAUSED);
                sleep(Duration.ofHours(1));
            } else if (next == null || next.equals(done)) {
                sleep(Duration.ofHours(1));
            } else if (bring(next)) {
                done = next;
            }
        }
        enter(ReplicaStatus.State.CLOSED);
    }

    private boolean bring(Point point) {
        Instant began = Instant.now();
        try {
            long rows = substrate.synchronize(publication, replica, point);
            retry = FIRST_RETRY;
            ReplicaStatus old = status;
            status = new ReplicaStatus(
                    publication,
                    replica,
                    ReplicaStatus.State.CURRENT,
                    old.state() == ReplicaStatus.State.CURRENT ? old.since() : Instant.now(),
                    old.rows() + rows,
                    Duration.between(began, Instant.now()),
                    old.lastError());
            return true;
        } catch (OperationPendingException e) {
            enter(ReplicaStatus.State.OPERATION_PENDING);
            sleep(PENDING);
        } catch (LostHistoryException e) {
            distrust(e.getMessage());
        } catch (NodeException e) {
            if (e.sqlState().equals(MISMATCH)) {
                distrust(e.error().message() + ". " + e.error().detail());
            } else {
                failed(e);
            }
        } catch (RuntimeException e) {
            failed(e);
        }
        return false;
    }

    private void distrust(@Nullable String message) {
        String reason = String.valueOf(message);
        LOG.error("ddlrep: replica {} of publication {} is dirty: {}", replica, publication, reason);
        fail(ReplicaStatus.State.DIRTY, reason);
        try {
            dirty.dirty(publication, replica, reason);
            state = "dirty";
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void failed(RuntimeException e) {
        if (closed) {
            return;
        }
        LOG.warn(
                "ddlrep: replica {} of publication {}: again in {} ms after: {}",
                replica,
                publication,
                retry.toMillis(),
                e.toString());
        fail(ReplicaStatus.State.RETRYING, String.valueOf(e.getMessage()));
        Duration wait = retry;
        Duration longer = retry.multipliedBy(2);
        retry = longer.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : longer;
        sleepAnyway(wait);
    }

    private void enter(ReplicaStatus.State now) {
        ReplicaStatus old = status;
        if (old.state() != now) {
            status =
                    new ReplicaStatus(publication, replica, now, Instant.now(), old.rows(), old.lag(), old.lastError());
        }
    }

    private void fail(ReplicaStatus.State now, String error) {
        ReplicaStatus old = status;
        status = new ReplicaStatus(
                publication,
                replica,
                now,
                old.state() == now ? old.since() : Instant.now(),
                old.rows(),
                old.lag(),
                error);
    }

    /** Sleeps until it is woken or the time is over. */
    private void sleep(Duration time) {
        try {
            if (wakeups.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS)) {
                wakeups.drainPermits();
            }
        } catch (InterruptedException e) {
            closed = true;
            Thread.currentThread().interrupt();
        }
    }

    /** Sleeps the time out, whatever is new: a back-off. */
    private void sleepAnyway(Duration time) {
        try {
            if (end.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
                closed = true;
            }
        } catch (InterruptedException e) {
            closed = true;
            Thread.currentThread().interrupt();
        }
    }
}
