package io.ddlrep.parser;

/** What a DDL statement does to an object that it names. */
public enum ObjectRole {
    /** Made by the statement. */
    CREATED,
    /** Changed in place: ALTER, COMMENT, GRANT, CREATE INDEX's table, CREATE TRIGGER's table. */
    ALTERED,
    /** Removed. */
    DROPPED,
    /** The old name of RENAME or the old place of SET SCHEMA; the object lives on. */
    RENAMED,
    /** Emptied by TRUNCATE. */
    TRUNCATED,
    /** Only named: a foreign key's parent, LIKE's source, a partition's parent, INHERITS, a view's query. */
    REFERENCED
}
