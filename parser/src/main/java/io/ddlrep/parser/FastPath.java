package io.ddlrep.parser;

import io.ddlrep.parser.internal.CharClasses;

/**
 * Tells without allocating whether a text can hold anything that the engine must see. Stateless and thread-safe.
 *
 * <p>It knows nothing of strings, so it does not depend on standard_conforming_strings: a semicolon with anything but
 * white space behind it, or the word INTO in a SELECT, makes it say LOOK wherever they stand.
 */
public final class FastPath {
    private FastPath() {}

    /** What a text can be. */
    public enum Verdict {
        /** Neither DDL nor transaction control nor opaque: goes to the origin untouched. */
        PASS,
        /** A single transaction control command. */
        TRANSACTION,
        /** DDL, several statements, opaque, or not understood: parse it. */
        LOOK
    }

    /**
     * Looks at the first word, and at little more.
     *
     * @param sql any text
     * @return PASS only where the text is one statement that cannot change a schema and is not transaction control
     */
    public static Verdict look(CharSequence sql) {
        int length = sql.length();
        int start = firstWord(sql, length);
        if (start == length) {
            return Verdict.PASS;
        }
        if (start < 0 || holdsMore(sql, start, length)) {
            return Verdict.LOOK;
        }
        int end = start;
        while (end < length && CharClasses.continuesIdentifier(sql.charAt(end))) {
            end++;
        }
        Verdict verdict = verdict(sql, start, end);
        boolean parenthesised = verdict != Verdict.LOOK && start > 0 && opens(sql, start);
        return parenthesised && !isQuery(sql, start, end) ? Verdict.LOOK : verdict;
    }

    /** The offset of the first word behind blanks and opening parentheses; -1 where something else stands there. */
    private static int firstWord(CharSequence sql, int length) {
        int i = 0;
        while (i < length) {
            char c = sql.charAt(i);
            if (CharClasses.isSpace(c) || c == '(') {
                i++;
            } else if (c == '-' && i + 1 < length && sql.charAt(i + 1) == '-') {
                i = CharClasses.endOfLine(sql, i, length);
            } else if (c == '/' && i + 1 < length && sql.charAt(i + 1) == '*') {
                i = CharClasses.endOfComment(sql, i, length);
                if (i < 0) {
                    return -1;
                }
            } else {
                return CharClasses.startsIdentifier(c) ? i : -1;
            }
        }
        return length;
    }

    /** Comments before the word may hold parentheses: then the answer is too careful, never wrong. */
    private static boolean opens(CharSequence sql, int start) {
        for (int i = 0; i < start; i++) {
            if (sql.charAt(i) == '(') {
                return true;
            }
        }
        return false;
    }

    private static boolean holdsMore(CharSequence sql, int from, int length) {
        int semicolon = sql instanceof String text ? text.indexOf(';', from) : indexOf(sql, from, length);
        if (semicolon < 0) {
            return false;
        }
        for (int i = semicolon + 1; i < length; i++) {
            if (!CharClasses.isSpace(sql.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static int indexOf(CharSequence sql, int from, int length) {
        for (int i = from; i < length; i++) {
            if (sql.charAt(i) == ';') {
                return i;
            }
        }
        return -1;
    }

    private static boolean isQuery(CharSequence sql, int start, int end) {
        return is(sql, start, end, "SELECT")
                || is(sql, start, end, "WITH")
                || is(sql, start, end, "VALUES")
                || is(sql, start, end, "TABLE");
    }

    private static boolean is(CharSequence sql, int start, int end, String word) {
        return CharClasses.sameWord(sql, start, end, word);
    }

    private static Verdict verdict(CharSequence sql, int start, int end) {
        return switch (CharClasses.upper(sql.charAt(start))) {
            case 'A' -> is(sql, start, end, "ABORT") ? Verdict.TRANSACTION : Verdict.LOOK;
            case 'B' -> transaction(sql, start, end, "BEGIN", "BEGIN");
            case 'C' -> {
                if (is(sql, start, end, "COMMIT")) {
                    yield Verdict.TRANSACTION;
                }
                yield is(sql, start, end, "CHECKPOINT") ? Verdict.PASS : pass(sql, start, end, "COPY", "CLOSE");
            }
            case 'D' -> pass(sql, start, end, "DELETE", "DECLARE");
            case 'E' -> transaction(sql, start, end, "END", "END");
            case 'F' -> pass(sql, start, end, "FETCH", "FETCH");
            case 'I' -> pass(sql, start, end, "INSERT", "INSERT");
            case 'L' -> pass(sql, start, end, "LOCK", "LISTEN");
            case 'M' -> pass(sql, start, end, "MERGE", "MOVE");
            case 'N' -> pass(sql, start, end, "NOTIFY", "NOTIFY");
            case 'R' -> transaction(sql, start, end, "ROLLBACK", "RELEASE");
            case 'S' -> select(sql, start, end);
            case 'T' -> pass(sql, start, end, "TABLE", "TABLE");
            case 'U' -> pass(sql, start, end, "UPDATE", "UNLISTEN");
            case 'V' -> pass(sql, start, end, "VALUES", "VALUES");
            case 'W' -> is(sql, start, end, "WITH") && !hasInto(sql, end, true) ? Verdict.PASS : Verdict.LOOK;
            default -> Verdict.LOOK;
        };
    }

    private static Verdict pass(CharSequence sql, int start, int end, String one, String other) {
        return is(sql, start, end, one) || is(sql, start, end, other) ? Verdict.PASS : Verdict.LOOK;
    }

    private static Verdict transaction(CharSequence sql, int start, int end, String one, String other) {
        return is(sql, start, end, one) || is(sql, start, end, other) ? Verdict.TRANSACTION : Verdict.LOOK;
    }

    private static Verdict select(CharSequence sql, int start, int end) {
        if (is(sql, start, end, "SELECT")) {
            return hasInto(sql, end, false) ? Verdict.LOOK : Verdict.PASS;
        }
        if (is(sql, start, end, "START")) {
            return startsTransaction(sql, end) ? Verdict.TRANSACTION : Verdict.LOOK;
        }
        return is(sql, start, end, "SHOW") ? Verdict.PASS : transaction(sql, start, end, "SAVEPOINT", "SAVEPOINT");
    }

    /** START alone is no command. With a comment behind it the answer is too careful, never wrong. */
    private static boolean startsTransaction(CharSequence sql, int from) {
        int start = from;
        while (start < sql.length() && CharClasses.isSpace(sql.charAt(start))) {
            start++;
        }
        int end = start;
        while (end < sql.length() && CharClasses.continuesIdentifier(sql.charAt(end))) {
            end++;
        }
        return is(sql, start, end, "TRANSACTION");
    }

    /** Looks at every fourth character: one of them must be a letter of INTO if the word is there. */
    private static boolean hasInto(CharSequence sql, int from, boolean mayInsert) {
        for (int i = from + 3; i < sql.length(); i += 4) {
            int back = switch (sql.charAt(i)) {
                case 'i', 'I' -> 0;
                case 'n', 'N' -> 1;
                case 't', 'T' -> 2;
                case 'o', 'O' -> 3;
                default -> -1;
            };
            if (back >= 0 && isInto(sql, i - back) && !(mayInsert && insertsInto(sql, i - back))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a word that ends here begins with a digit: then it is a number, perhaps with letters, and not a name. */
    private static boolean inNumber(CharSequence sql, int end) {
        int start = end;
        while (start > 0 && CharClasses.continuesIdentifier(sql.charAt(start - 1))) {
            start--;
        }
        return CharClasses.isDigit(sql.charAt(start));
    }

    /**
     * A number may stand right before the word: before version 15, {@code 1into} and {@code 0x1Finto} are two tokens. So may a
     * dollar sign that begins nothing.
     */
    private static boolean isInto(CharSequence sql, int at) {
        if (at + 4 > sql.length() || !CharClasses.sameWord(sql, at, at + 4, "INTO")) {
            return false;
        }
        char before = sql.charAt(at - 1);
        boolean starts = !CharClasses.continuesIdentifier(before)
                || CharClasses.isDigit(before)
                || before == '$'
                || inNumber(sql, at - 1);
        return starts && (at + 4 == sql.length() || !CharClasses.continuesIdentifier(sql.charAt(at + 4)));
    }

    /**
     * Whether INTO belongs to a WITH query that inserts: {@code (INSERT INTO}. Without the parenthesis it may be a column
     * named insert.
     */
    private static boolean insertsInto(CharSequence sql, int into) {
        int end = backOverSpace(sql, into);
        int start = end;
        while (start > 0 && CharClasses.continuesIdentifier(sql.charAt(start - 1))) {
            start--;
        }
        int before = backOverSpace(sql, start);
        boolean verb = is(sql, start, end, "INSERT") || is(sql, start, end, "MERGE");
        return verb && before > 0 && sql.charAt(before - 1) == '(';
    }

    private static int backOverSpace(CharSequence sql, int from) {
        int i = from;
        while (i > 0 && CharClasses.isSpace(sql.charAt(i - 1))) {
            i--;
        }
        return i;
    }
}
