package io.ddlrep.engine.replication;

import java.time.Duration;
import java.time.Instant;

/**
 * How one replica of one publication is doing, as the replicator of this process knows. Immutable.
 *
 * @param publication the publication
 * @param replica the replica
 * @param state what its worker does
 * @param since when it began to
 * @param rows changes that were brought since the replicator started
 * @param lag from the taking of the last point to its commit on the replica; while behind, to now
 * @param lastError the last failure, or empty; kept after it was overcome
 */
public record ReplicaStatus(
        String publication, String replica, State state, Instant since, long rows, Duration lag, String lastError) {
    /** What a worker does. */
    public enum State {
        /** Has everything that is committed on the origin. */
        CURRENT,
        /** Is bringing changes. */
        WORKING,
        /** Waits for a DDL operation to be finished on the replica. */
        OPERATION_PENDING,
        /** Failed, and tries again after a while. */
        RETRYING,
        /** Stopped by a person. */
        PAUSED,
        /** Not trusted any more; stopped until it is active again. */
        DIRTY,
        /** The replicator was closed. */
        CLOSED
    }
}
