package io.ddlrep.parser;

/**
 * A half-open range of the input. Immutable.
 *
 * @param start offset of the first UTF-16 unit
 * @param end offset behind the last UTF-16 unit
 * @param byteStart offset of the first byte of the UTF-8 form
 * @param byteEnd offset behind the last byte of the UTF-8 form
 */
public record SourceSpan(int start, int end, int byteStart, int byteEnd) {}
