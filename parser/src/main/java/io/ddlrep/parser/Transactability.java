package io.ddlrep.parser;

/** Whether PostgreSQL runs a command inside a transaction block. */
public enum Transactability {
    /** Runs inside a transaction block. */
    ALLOWED,
    /** Refused inside a transaction block with 25001, such as CREATE INDEX CONCURRENTLY. */
    REFUSED
}
