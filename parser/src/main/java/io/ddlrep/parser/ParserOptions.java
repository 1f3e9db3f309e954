package io.ddlrep.parser;

/**
 * What the text means depends on this session setting. Immutable.
 *
 * @param standardConformingStrings the session's {@code standard_conforming_strings}
 */
public record ParserOptions(boolean standardConformingStrings) {
    /** PostgreSQL's default since 9.1. */
    public static final ParserOptions DEFAULT = new ParserOptions(true);

    /** With {@code standard_conforming_strings = off} a backslash in {@code '…'} escapes. */
    public static final ParserOptions ESCAPING = new ParserOptions(false);
}
