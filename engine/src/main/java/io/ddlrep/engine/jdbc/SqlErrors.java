package io.ddlrep.engine.jdbc;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** The one place where an {@link SQLException} becomes a {@link NodeException}. Stateless. */
public final class SqlErrors {
    private SqlErrors() {}

    /** The exception of ours for one of JDBC's where there is no connection yet; the cause is kept. */
    public static NodeException from(String node, SQLException failure) {
        return new NodeException(node, errorOf(failure), failure);
    }

    /** The exception of ours for one of JDBC's in a connection; the cause is kept. */
    public static NodeException from(String node, SQLException failure, Connection connection) {
        return new NodeException(node, errorOf(failure), failure, hasEnded(failure, connection));
    }

    private static boolean hasEnded(SQLException failure, Connection connection) {
        ServerErrorMessage said = failure instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
        if (said == null) {
            return true;
        }
        // The severity is in the server's language; pgjdbc closes a connection that it finds cut.
        String severity = Objects.requireNonNullElse(said.getSeverity(), "");
        try {
            return severity.equals("FATAL") || severity.equals("PANIC") || connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    /** What the server said, as far as JDBC tells. */
    public static ServerError errorOf(SQLException failure) {
        String state = Objects.requireNonNullElse(failure.getSQLState(), "XX000");
        ServerErrorMessage said = failure instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
        if (said == null) {
            return ServerError.of(state, Objects.requireNonNullElse(failure.getMessage(), "unknown error"));
        }
        return new ServerError(
                state,
                Objects.requireNonNullElse(said.getMessage(), "unknown error"),
                said.getDetail(),
                said.getHint(),
                said.getPosition(),
                said.getWhere(),
                said.getSchema(),
                said.getTable(),
                said.getColumn(),
                said.getDatatype(),
                said.getConstraint());
    }
}
