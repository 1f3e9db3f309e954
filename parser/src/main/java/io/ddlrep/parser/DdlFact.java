package io.ddlrep.parser;

/** Facts of a DDL statement that decide how it is replicated. */
public enum DdlFact {
    /** CONCURRENTLY was said. */
    CONCURRENTLY,
    /** IF EXISTS or IF NOT EXISTS was said: the statement may do nothing. */
    CONDITIONAL,
    /** CASCADE was said: more objects may go than are named. */
    CASCADE,
    /** The object made is TEMP or TEMPORARY. */
    TEMPORARY,
    /** The table made or altered is UNLOGGED. */
    UNLOGGED,
    /** Makes rows out of a query: CREATE TABLE AS, SELECT INTO, CREATE or REFRESH MATERIALIZED VIEW. */
    ROWS_FROM_QUERY,
    /** WITH NO DATA was said. */
    WITH_NO_DATA,
    /** A column is serial, bigserial, smallserial or GENERATED … AS IDENTITY. */
    SEQUENCE_COLUMN,
    /** A sub-command may rewrite or re-shape the row: ADD, DROP, ALTER TYPE, RENAME of a column. */
    ROW_SHAPE,
    /** ALTER COLUMN … TYPE. */
    COLUMN_TYPE,
    /** Adds a column. */
    ADD_COLUMN,
    /** ATTACH PARTITION or DETACH PARTITION. */
    PARTITION_CHANGE,
    /** TRUNCATE … RESTART IDENTITY. */
    RESTART_IDENTITY,
    /** All that is said of the table is what the server does while others read and write it (SHARE UPDATE EXCLUSIVE). */
    LETS_WRITE,
    /** All that is said of the table is what the server does while others read it (SHARE ROW EXCLUSIVE, or a weaker lock). */
    LETS_READ
}
