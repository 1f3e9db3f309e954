package io.ddlrep.engine.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * Our SQL is written with {@code $1}; JDBC wants {@code ?}. Immutable.
 *
 * @param sql the text for JDBC
 * @param order for each {@code ?} in turn the parameter's number from 1
 */
record NumberedParameters(String sql, List<Integer> order) {
    /**
     * Translates a text. Only for SQL of our own resources: it knows string literals, quoted names and line comments,
     * which is all that these use.
     */
    static NumberedParameters of(String sql) {
        StringBuilder out = new StringBuilder(sql.length());
        ArrayList<Integer> order = new ArrayList<>();
        int i = 0;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (c == '\'' || c == '"') {
                int end = sql.indexOf(c, i + 1);
                end = end < 0 ? sql.length() : end + 1;
                out.append(sql, i, end);
                i = end;
            } else if (c == '-' && i + 1 < sql.length() && sql.charAt(i + 1) == '-') {
                int end = sql.indexOf('\n', i);
                i = end < 0 ? sql.length() : end;
            } else if (c == '$' && i + 1 < sql.length() && Character.isDigit(sql.charAt(i + 1))) {
                int end = i + 1;
                while (end < sql.length() && Character.isDigit(sql.charAt(end))) {
                    end++;
                }
                order.add(Integer.parseInt(sql, i + 1, end, 10));
                out.append('?');
                i = end;
            } else if (c == '?') {
                out.append("??");
                i++;
            } else {
                out.append(c);
                i++;
            }
        }
        return new NumberedParameters(out.toString(), List.copyOf(order));
    }
}
