package io.ddlrep.engine.replication;

/** Is told that a replica cannot be trusted any more. Thread-safe. */
@FunctionalInterface
public interface DirtyMarker {
    /**
     * Records it, so that nobody synchronizes the replica until it is seen equal again.
     *
     * @param reason what happened, for people
     */
    void dirty(String publication, String replica, String reason);
}
