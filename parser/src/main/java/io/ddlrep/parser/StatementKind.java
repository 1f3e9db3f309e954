package io.ddlrep.parser;

/** What kind of command a statement is; decides its route. */
public enum StatementKind {
    /** Reads rows: SELECT, VALUES, TABLE, SHOW, EXPLAIN without side effects, FETCH, cursors. */
    QUERY,
    /** Changes rows: INSERT, UPDATE, DELETE, MERGE; also behind WITH. */
    DML,
    /**
     * Changes the schema, or privileges, or a comment; TRUNCATE counts here since it is replicated like rows, and DO where the
     * words of its code say that it may.
     */
    DDL,
    /** BEGIN, COMMIT, ROLLBACK, SAVEPOINT and their kin. */
    TRANSACTION_CONTROL,
    /** SET, RESET, DISCARD, LISTEN, PREPARE, DEALLOCATE and others that change only the session. */
    SESSION_CONTROL,
    /** COPY in either direction. */
    COPY,
    /** Anything else that changes neither schema nor rows of tables: CHECKPOINT, LOCK, NOTIFY. */
    UTILITY,
    /** May run anything inside, DDL included: other DO, CALL, EXECUTE, EXPLAIN ANALYZE. Only the server can tell. */
    OPAQUE,
    /** Not understood. Takes the careful path; never dropped. */
    UNCLASSIFIED
}
