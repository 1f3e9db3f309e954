package io.ddlrep.engine.node;

/** The status byte of ReadyForQuery. */
public enum TransactionStatus {
    /** Not in a transaction block. */
    IDLE,
    /** In a transaction block. */
    IN_TRANSACTION,
    /** In a failed transaction block: only ROLLBACK (or ROLLBACK TO) is answered. */
    FAILED
}
