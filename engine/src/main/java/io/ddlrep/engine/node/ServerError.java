package io.ddlrep.engine.node;

import org.jspecify.annotations.Nullable;

/**
 * What a server said in an ErrorResponse, field by field. Immutable.
 *
 * @param sqlState five characters
 * @param message the primary message
 * @param detail field D, or null
 * @param hint field H, or null
 * @param position field P in characters from 1, or 0 where there is none
 * @param where field W (context), or null
 * @param schema field s, or null
 * @param table field t, or null
 * @param column field c, or null
 * @param dataType field d, or null
 * @param constraint field n, or null
 */
public record ServerError(
        String sqlState,
        String message,
        @Nullable String detail,
        @Nullable String hint,
        int position,
        @Nullable String where,
        @Nullable String schema,
        @Nullable String table,
        @Nullable String column,
        @Nullable String dataType,
        @Nullable String constraint) {
    /** An error with nothing but a state and a message. */
    public static ServerError of(String sqlState, String message) {
        return new ServerError(sqlState, message, null, null, 0, null, null, null, null, null, null);
    }

    /** What a statement ends with that its client has cancelled (57014), in the words of the server. */
    public static ServerError canceled() {
        return of("57014", "canceling statement due to user request");
    }

    /** The same with another detail and hint. */
    public ServerError with(@Nullable String newDetail, @Nullable String newHint) {
        return new ServerError(
                sqlState, message, newDetail, newHint, position, where, schema, table, column, dataType, constraint);
    }

    /** The same at a position, in characters from 1; 0 for none. */
    public ServerError at(int newPosition) {
        return new ServerError(
                sqlState, message, detail, hint, newPosition, where, schema, table, column, dataType, constraint);
    }

    /** The same with a line more at the end of its context. */
    public ServerError inContext(String line) {
        String context = where == null ? line : where + "\n" + line;
        return new ServerError(
                sqlState, message, detail, hint, position, context, schema, table, column, dataType, constraint);
    }
}
