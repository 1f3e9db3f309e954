package io.ddlrep.engine;

import java.time.Duration;

/**
 * The options of DESIGN section 3. Defaults come from the face (URL, file); the session's custom settings
 * ({@code SET ddlrep.lock_wait = '5s'}) override them. Immutable.
 *
 * @param changeTableLock take the lock before the DDL
 * @param lockWait total budget for all locks of an operation
 * @param lockSlice longest single wait in a lock queue
 * @param notices when to tell the client what was done
 * @param nodeDown what to do about an unreachable replica
 * @param idleLimit longest idleness of a client between its DDL and its COMMIT
 * @param replicate false keeps the session's DDL local
 * @param maintenance where VACUUM, ANALYZE and their kind run
 */
public record OperationSettings(
        boolean changeTableLock,
        Duration lockWait,
        Duration lockSlice,
        Notices notices,
        NodeDown nodeDown,
        Duration idleLimit,
        boolean replicate,
        Maintenance maintenance) {
    /** DESIGN's defaults. */
    public static final OperationSettings DEFAULT = new OperationSettings(
            true,
            Duration.ofMinutes(2),
            Duration.ofMillis(100),
            Notices.AUTO,
            NodeDown.FAIL,
            Duration.ofMinutes(5),
            true,
            Maintenance.LOCAL);

    /** When to tell the client what was done. */
    public enum Notices {
        /** Never. */
        OFF,
        /** One line for each operation. */
        SUMMARY,
        /** One line for each step. */
        STEPS,
        /** SUMMARY when application_name is psql or ddlrep's command line, else OFF. */
        AUTO
    }

    /** What to do about an unreachable replica. */
    public enum NodeDown {
        /** Refuse the operation. */
        FAIL,
        /** Go on without it. */
        QUEUE
    }

    /** Where a statement runs that keeps a node up and changes nothing that another one has. */
    public enum Maintenance {
        /** On the node that it is sent to. */
        LOCAL,
        /** On every node, where it is sent in autocommit. */
        ALL
    }
}
