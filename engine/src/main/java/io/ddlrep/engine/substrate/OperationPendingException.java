package io.ddlrep.engine.substrate;

/**
 * A replica cannot pass a DDL operation that is committed on the origin but not yet on the replica. Retryable: as soon as
 * the operation's prepared transaction is committed there, the replica goes on.
 */
public final class OperationPendingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String operation;

    /**
     * Makes the exception.
     *
     * @param replica the replica
     * @param operation the operation that it lacks
     */
    public OperationPendingException(String replica, String operation) {
        super("replica " + replica + " waits for operation " + operation
                + ", which is committed on the origin: nothing behind it is applied before it is there");
        this.operation = operation;
    }

    /** The operation. */
    public String operation() {
        return operation;
    }
}
