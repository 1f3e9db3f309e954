package io.ddlrep.parser;

/** What a DDL statement does to an object that it names. */
public enum ObjectRole {
    /** Made by the statement. */
    CREATED,
    /**
     * Changed in place: ALTER, COMMENT, GRANT, CREATE INDEX's table, CREATE TRIGGER's table; a parent of INHERITS or (NO)
     * INHERIT, whose statements reach other tables' rows from then on.
     */
    ALTERED,
    /** Removed. */
    DROPPED,
    /** The old name of RENAME or the old place of SET SCHEMA; the object lives on. */
    RENAMED,
    /** Emptied by TRUNCATE. */
    TRUNCATED,
    /** Only named: a foreign key's parent, LIKE's source, a partition's parent, a view's query. */
    REFERENCED
}
