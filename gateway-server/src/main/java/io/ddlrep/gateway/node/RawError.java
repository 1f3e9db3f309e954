package io.ddlrep.gateway.node;

/** The body of an ErrorResponse as the server sent it: the cause of an exception, for whoever hands the error on. Immutable. */
public final class RawError extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient byte[] body;

    RawError(byte[] body) {
        super("ErrorResponse", null, false, false);
        this.body = body;
    }

    /** The body; not to be changed. */
    public byte[] body() {
        return body;
    }
}
