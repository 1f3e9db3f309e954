package io.ddlrep.engine.node;

/** Opens sessions. Thread-safe. */
public interface Connector {
    /**
     * Opens a session.
     *
     * @param address the node
     * @param credentials who logs in
     * @param applicationName shown in {@code pg_stat_activity}
     * @throws NodeException class 08 when the node cannot be reached, 28 when it refuses the login
     */
    NodeSession open(NodeAddress address, Credentials credentials, String applicationName);

    /** Opens sessions with these credentials alone. */
    default CompanionConnector as(Credentials credentials) {
        return (address, applicationName) -> open(address, credentials, applicationName);
    }
}
