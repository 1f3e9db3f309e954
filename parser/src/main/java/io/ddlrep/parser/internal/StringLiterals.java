package io.ddlrep.parser.internal;

import io.ddlrep.parser.TokenType;
import org.jspecify.annotations.Nullable;

/** Reads the values of plain string literals. Stateless. */
final class StringLiterals {
    private StringLiterals() {}

    /** The value of a string token that needs no decoding of escapes; null for any other. */
    static @Nullable String value(TokenList tokens, int index) {
        String text = tokens.text(index);
        if (tokens.type(index) == TokenType.DOLLAR_STRING) {
            int tag = text.indexOf('$', 1) + 1;
            return text.length() >= 2 * tag ? text.substring(tag, text.length() - tag) : null;
        }
        boolean plain = tokens.type(index) == TokenType.STRING
                || (tokens.type(index) == TokenType.ESCAPE_STRING && text.indexOf('\\') < 0);
        int open = text.indexOf('\'');
        if (!plain || text.length() < open + 2 || !text.endsWith("'")) {
            return null;
        }
        return text.substring(open + 1, text.length() - 1).replace("''", "'");
    }
}
