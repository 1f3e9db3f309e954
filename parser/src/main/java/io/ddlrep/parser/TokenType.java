package io.ddlrep.parser;

/** Kinds of tokens, as PostgreSQL's scanner makes them (src/backend/parser/scan.l). */
public enum TokenType {
    /** A keyword or an unquoted identifier: which of them, only the grammar knows. */
    WORD,
    /** {@code "…"}. */
    QUOTED_IDENTIFIER,
    /** {@code U&"…"}, without a UESCAPE behind it. */
    UNICODE_IDENTIFIER,
    /** {@code '…'}; with all its continuations on later lines. */
    STRING,
    /** {@code E'…'}, or {@code '…'} where standard_conforming_strings is off. */
    ESCAPE_STRING,
    /** {@code U&'…'}. */
    UNICODE_STRING,
    /** {@code B'…'}. */
    BIT_STRING,
    /** {@code X'…'}. */
    HEX_STRING,
    /** {@code $tag$…$tag$}. */
    DOLLAR_STRING,
    /** An integer or a decimal number, also {@code 0x1F} and {@code 1_000}. */
    NUMBER,
    /** {@code $1}. */
    PARAMETER,
    /** An operator, also the one-character ones and JDBC's {@code ?}. */
    OPERATOR,
    /** One of {@code , ( ) [ ] . ; :} or {@code :: := ..}. */
    SYMBOL,
    /** A character that starts no token: a lone {@code $}, a backslash, a brace. */
    UNKNOWN,
    /** The end of the text. */
    END
}
