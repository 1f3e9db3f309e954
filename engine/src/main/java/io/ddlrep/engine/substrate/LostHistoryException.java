package io.ddlrep.engine.substrate;

/** A replica stands at a point that the origin does not know: the origin lost history (crash, failover, restore). */
public final class LostHistoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes the exception; the message says which replica stands where. */
    public LostHistoryException(String message) {
        super(message);
    }
}
