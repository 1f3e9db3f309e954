package io.ddlrep.parser;

import io.ddlrep.parser.internal.CharClasses;

/**
 * Reads identifiers as a server with a UTF-8 database does: unquoted ones are folded to lower case in ASCII only, all
 * are cut to 63 bytes without splitting a character (NAMEDATALEN in src/include/pg_config_manual.h,
 * downcase_truncate_identifier in src/backend/parser/scansup.c). Stateless and thread-safe.
 */
public final class Identifiers {
    private static final int MAX_BYTES = 63;

    private Identifiers() {}

    /** The name that an unquoted identifier means. */
    public static String fold(CharSequence unquoted) {
        StringBuilder folded = new StringBuilder(unquoted.length());
        for (int i = 0; i < unquoted.length(); i++) {
            folded.append(CharClasses.lower(unquoted.charAt(i)));
        }
        return cut(folded.toString());
    }

    /** The name that {@code "…"} means; the closing quote may be missing. */
    public static String unquote(String quoted) {
        return cut(body(quoted, 1));
    }

    /**
     * The name that {@code U&"…"} means. What is no valid escape stays as it is: the server refuses it anyway.
     *
     * @param quoted the token, from U to the quote
     * @param escape the escape character, backslash unless UESCAPE says another
     */
    public static String decodeUnicode(String quoted, char escape) {
        String body = body(quoted, 3);
        StringBuilder decoded = new StringBuilder(body.length());
        int i = 0;
        while (i < body.length()) {
            char c = body.charAt(i);
            if (c != escape) {
                decoded.append(c);
                i++;
            } else if (i + 1 < body.length() && body.charAt(i + 1) == escape) {
                decoded.append(escape);
                i += 2;
            } else {
                boolean six = i + 1 < body.length() && body.charAt(i + 1) == '+';
                int from = six ? i + 2 : i + 1;
                int to = from + (six ? 6 : 4);
                int code = hex(body, from, to);
                if (Character.isValidCodePoint(code)) {
                    decoded.appendCodePoint(code);
                    i = to;
                } else {
                    decoded.append(c);
                    i++;
                }
            }
        }
        return cut(decoded.toString());
    }

    private static int hex(String text, int from, int to) {
        if (to > text.length()) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }

    private static String body(String quoted, int from) {
        int to = quoted.length() > from && quoted.endsWith("\"") ? quoted.length() - 1 : quoted.length();
        return quoted.substring(Math.min(from, to), to).replace("\"\"", "\"");
    }

    private static String cut(String name) {
        if (name.length() * 3 <= MAX_BYTES) {
            return name;
        }
        int bytes = 0;
        int i = 0;
        while (i < name.length()) {
            int code = name.codePointAt(i);
            bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
            if (bytes > MAX_BYTES) {
                return name.substring(0, i);
            }
            i += Character.charCount(code);
        }
        return name;
    }
}
