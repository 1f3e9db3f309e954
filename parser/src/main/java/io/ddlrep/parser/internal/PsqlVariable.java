package io.ddlrep.parser.internal;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A variable of psql's in SQL text: {@code :name}, {@code :'name'}, {@code :"name"} or {@code :{?name}} (psqlscan.l).
 * Immutable.
 *
 * @param text what stands for it
 * @param end where the text goes on behind it
 */
public record PsqlVariable(String text, int end) {
    /**
     * Reads a variable.
     *
     * @param sql the text
     * @param from behind the colon
     * @param values gives the value of a variable, or null where it is not set
     * @return null where no variable stands, or one that is not set: the text is left as it is
     */
    public static @Nullable PsqlVariable at(String sql, int from, Function<String, @Nullable String> values) {
        char first = from < sql.length() ? sql.charAt(from) : 0;
        if (first == '{') {
            return test(sql, from, values);
        }
        boolean quoted = first == '\'' || first == '"';
        int start = quoted ? from + 1 : from;
        int end = name(sql, start);
        if (end == start || (quoted && (end == sql.length() || sql.charAt(end) != first))) {
            return null;
        }
        String value = values.apply(sql.substring(start, end));
        if (value == null) {
            return null;
        }
        return switch (first) {
            case '\'' -> new PsqlVariable(literal(value), end + 1);
            case '"' -> new PsqlVariable("\"" + value.replace("\"", "\"\"") + "\"", end + 1);
            default -> new PsqlVariable(value, end);
        };
    }

    private static @Nullable PsqlVariable test(String sql, int brace, Function<String, @Nullable String> values) {
        int start = brace + 2;
        if (!sql.startsWith("{?", brace)) {
            return null;
        }
        int end = name(sql, start);
        if (end == start || end == sql.length() || sql.charAt(end) != '}') {
            return null;
        }
        return new PsqlVariable(values.apply(sql.substring(start, end)) == null ? "FALSE" : "TRUE", end + 1);
    }

    private static int name(String sql, int from) {
        int i = from;
        while (i < sql.length()
                && (CharClasses.startsIdentifier(sql.charAt(i)) || CharClasses.isDigit(sql.charAt(i)))) {
            i++;
        }
        return i;
    }

    /** As PQescapeLiteral writes it: right whatever standard_conforming_strings is. */
    private static String literal(String value) {
        String doubled = value.replace("'", "''");
        return value.indexOf('\\') < 0 ? "'" + doubled + "'" : " E'" + doubled.replace("\\", "\\\\") + "'";
    }
}
