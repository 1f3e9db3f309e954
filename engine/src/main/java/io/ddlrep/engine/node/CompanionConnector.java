package io.ddlrep.engine.node;

/** Opens sessions as one client, by whatever that client logged in with. Thread-safe. */
@FunctionalInterface
public interface CompanionConnector {
    /**
     * Opens a session.
     *
     * @param address the node
     * @param applicationName shown in {@code pg_stat_activity}
     * @throws NodeException class 08 when the node cannot be reached, 28 when it refuses the login
     */
    NodeSession open(NodeAddress address, String applicationName);
}
