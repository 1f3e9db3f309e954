package io.ddlrep.engine.node;

import org.jspecify.annotations.Nullable;

/** A node refused a statement, or could not be reached. Carries everything that the server said. */
public final class NodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String node;
    private final transient ServerError error;
    private final boolean sessionEnded;

    /**
     * Makes the exception for something that no session reported: a node that could not be reached or logged in to, a
     * connection that broke.
     *
     * @param node the node's short name
     * @param error what the server said, or what was found out about the connection (class 08)
     * @param cause the adapter's own exception, or null
     */
    public NodeException(String node, ServerError error, @Nullable Throwable cause) {
        this(node, error, cause, true);
    }

    /**
     * Makes the exception.
     *
     * @param node the node's short name
     * @param error what the server said, or what was found out about the connection (class 08)
     * @param cause the adapter's own exception, or null
     * @param sessionEnded whether a session that reported it has ended by it. SQLSTATE alone does not tell: any function may
     *     raise class 08 or 57P as an ordinary error, as CREATE SUBSCRIPTION and dblink do
     */
    public NodeException(String node, ServerError error, @Nullable Throwable cause, boolean sessionEnded) {
        super(node + ": " + error.sqlState() + ": " + error.message(), cause);
        this.node = node;
        this.error = error;
        this.sessionEnded = sessionEnded;
    }

    /** The node's short name. */
    public String node() {
        return node;
    }

    /** What the server said. */
    public ServerError error() {
        return error;
    }

    /** The SQLSTATE. */
    public String sqlState() {
        return error.sqlState();
    }

    /** Whether the session is gone: class 08, or the server is shutting down or crashed (57P01 to 57P03). */
    public boolean isConnectionLost() {
        String state = error.sqlState();
        return sessionEnded
                && (state.startsWith("08") || state.equals("57P01") || state.equals("57P02") || state.equals("57P03"));
    }
}
