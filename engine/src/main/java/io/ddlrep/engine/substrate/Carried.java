package io.ddlrep.engine.substrate;

/**
 * Own rows that were carried. Immutable.
 *
 * @param rows how many
 * @param lastSeq the highest {@code seq} among the client's own rows so far; the next carry starts behind it
 */
public record Carried(long rows, long lastSeq) {}
