package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** What is wrong with a statement, as the client is told. */
final class AdminException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient ServerError error;

    AdminException(ServerError error, @Nullable Throwable cause) {
        super(error.message(), cause);
        this.error = error;
    }

    AdminException(String sqlState, String message) {
        this(ServerError.of(sqlState, message), null);
    }

    ServerError error() {
        return error;
    }

    /**
     * From whatever was thrown.
     *
     * @param sql the statement, for the error's position; empty where that is not known
     */
    static AdminException of(Exception failure, String sql) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AdminException known) {
                return known;
            }
            if (cause instanceof NodeException node) {
                ServerError error = node.error();
                return new AdminException(
                        ServerError.of(error.sqlState(), "node " + node.node() + ": " + error.message())
                                .with(error.detail(), error.hint()),
                        failure);
            }
            if (cause instanceof CalciteContextException context) {
                Throwable inner = context.getCause();
                String message = String.valueOf(inner == null ? context.getMessage() : inner.getMessage());
                int position = position(sql, context.getPosLine(), context.getPosColumn());
                return new AdminException(
                        ServerError.of(state(message), message).at(position), failure);
            }
            if (cause instanceof SqlParseException parse) {
                SqlParserPos at = parse.getPos();
                String message =
                        String.valueOf(parse.getMessage()).lines().findFirst().orElse("syntax error");
                int position = at == null ? 0 : position(sql, at.getLineNum(), at.getColumnNum());
                return new AdminException(ServerError.of("42601", message).at(position), failure);
            }
            if (cause instanceof ArithmeticException || cause instanceof NumberFormatException) {
                return new AdminException(ServerError.of("22000", String.valueOf(cause.getMessage())), failure);
            }
        }
        String message = String.valueOf(failure.getMessage());
        boolean cancelled = message.contains("canceled") || message.contains("cancelled");
        return new AdminException(cancelled ? ServerError.canceled() : ServerError.of("XX000", message), failure);
    }

    /** What a statement ends with that its client has cancelled. */
    static AdminException canceled() {
        return new AdminException(ServerError.canceled(), null);
    }

    private static String state(String message) {
        if (message.startsWith("Object ")) {
            return "42P01";
        }
        // The second where a column may name another one of the same list.
        if (message.startsWith("Column ") || message.startsWith("The definition of column ")) {
            return "42703";
        }
        return message.startsWith("No match found for function") ? "42883" : "42601";
    }

    /** Characters from 1, as PostgreSQL counts them; Calcite counts lines, and columns in each. */
    private static int position(String sql, int line, int column) {
        int start = 0;
        for (int i = 1; i < line; i++) {
            start = sql.indexOf('\n', start) + 1;
            if (start == 0) {
                return 0;
            }
        }
        int end = Math.min(sql.length(), start + column - 1);
        return sql.isEmpty() || column < 1 ? 0 : sql.codePointCount(0, end) + 1;
    }
}
