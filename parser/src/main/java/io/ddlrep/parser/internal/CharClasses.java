package io.ddlrep.parser.internal;

/**
 * The character classes of PostgreSQL's scanner (src/backend/parser/scan.l), and the two kinds of comments. Letters
 * are compared as the server does for keywords: ASCII only, whatever the locale. Stateless and thread-safe.
 */
public final class CharClasses {
    private CharClasses() {}

    /** White space; the vertical tab counts since 16. */
    public static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /** A decimal digit. */
    public static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Starts a word: every character beyond ASCII does, even the no-break space. */
    public static boolean startsIdentifier(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    /** Goes on with a word. */
    public static boolean continuesIdentifier(char c) {
        return startsIdentifier(c) || isDigit(c) || c == '$';
    }

    /** Can stand in an operator. */
    public static boolean isOperator(char c) {
        return switch (c) {
            case '~', '!', '@', '#', '^', '&', '|', '`', '?', '+', '-', '*', '/', '%', '<', '>', '=' -> true;
            default -> false;
        };
    }

    /** With one of these in it, an operator of several characters may end in a sign. */
    public static boolean allowsTrailingSign(char c) {
        return switch (c) {
            case '~', '!', '@', '#', '^', '&', '|', '`', '?', '%' -> true;
            default -> false;
        };
    }

    /** Whether these two characters start a comment. */
    public static boolean startsComment(char first, char second) {
        return (first == '-' && second == '-') || (first == '/' && second == '*');
    }

    /** Where the line that this offset is in ends: the offset of the line break. */
    public static int endOfLine(CharSequence sql, int from, int limit) {
        int i = from;
        while (i < limit && sql.charAt(i) != '\n' && sql.charAt(i) != '\r') {
            i++;
        }
        return i;
    }

    /**
     * The offset behind a block comment, which may hold others.
     *
     * @param from where it starts
     * @return -1 where it does not end
     */
    public static int endOfComment(CharSequence sql, int from, int limit) {
        int depth = 0;
        int i = from;
        while (i + 1 < limit) {
            char c = sql.charAt(i);
            char next = sql.charAt(i + 1);
            if (c == '/' && next == '*') {
                depth++;
                i += 2;
            } else if (c == '*' && next == '/') {
                depth--;
                i += 2;
                if (depth == 0) {
                    return i;
                }
            } else {
                i++;
            }
        }
        return -1;
    }

    /** Whether a range of the text is this upper-case ASCII word, written in any case. */
    public static boolean sameWord(CharSequence sql, int start, int end, String upperCase) {
        int length = end - start;
        if (length != upperCase.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (upper(sql.charAt(start + i)) != upperCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Upper case of an ASCII letter; anything else as it is. */
    public static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }

    /** Lower case of an ASCII letter; anything else as it is. */
    public static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }
}
