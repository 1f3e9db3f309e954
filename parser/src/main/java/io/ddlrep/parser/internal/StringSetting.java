package io.ddlrep.parser.internal;

import org.jspecify.annotations.Nullable;

/** Reads SET standard_conforming_strings, after which a text is cut into tokens otherwise. Stateless. */
public final class StringSetting {
    private StringSetting() {}

    /**
     * What a statement sets it to: SET [SESSION | LOCAL] standard_conforming_strings { TO | = } value.
     *
     * @param tokens the statement, without its semicolon
     * @return null for every other statement
     */
    public static @Nullable Boolean of(TokenList tokens) {
        int i = 1;
        if (!tokens.isWord(0, "SET")) {
            return null;
        }
        if (tokens.isWord(i, "SESSION") || tokens.isWord(i, "LOCAL")) {
            i++;
        }
        boolean assigned = tokens.isWord(i + 1, "TO") || tokens.isText(i + 1, "=");
        if (!tokens.isWord(i, "STANDARD_CONFORMING_STRINGS") || !assigned || tokens.size() != i + 3) {
            return null;
        }
        return BooleanWords.parse(tokens.text(i + 2));
    }
}
