package io.ddlrep.engine.substrate;

import io.ddlrep.engine.node.NodeSession;

/**
 * A session of the client's user inside a DDL operation, on the origin or as a companion on a replica, with the few
 * privileged things that tickets allow it. Used by one thread at a time.
 */
public interface OperationSession {
    /** The node's short name. */
    String node();

    /** The session; in a transaction. */
    NodeSession session();

    /** Runs a text of ours by {@code ddlrep.run()} with a ticket. */
    void run(String sql);

    /**
     * Companion only: applies rows from a carry table by {@code ddlrep.carry()} with a ticket.
     *
     * @param tableId the table
     * @param stage the carry table's qualified, quoted name
     * @return rows changed
     */
    long carry(long tableId, String stage);
}
