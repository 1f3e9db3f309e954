package io.ddlrep.engine;

import io.ddlrep.engine.node.ServerError;

/**
 * ddlrep itself refuses or fails. The face hands {@link #error()} to the client as an ErrorResponse or SQLException;
 * the client's transaction is aborted by then.
 */
public final class DdlrepException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ServerError error;

    /** Makes the exception from what the client is told. */
    public DdlrepException(ServerError error) {
        super(error.sqlState() + ": " + error.message());
        this.error = error;
    }

    /** Makes the exception from what the client is told, and what was behind it. */
    public DdlrepException(ServerError error, Throwable cause) {
        super(error.sqlState() + ": " + error.message(), cause);
        this.error = error;
    }

    /** What the client is told. */
    public ServerError error() {
        return error;
    }
}
