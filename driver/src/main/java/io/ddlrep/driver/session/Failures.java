package io.ddlrep.driver.session;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** The one place where the engine's exceptions become {@link SQLException}s. Stateless. */
public final class Failures {
    /** What a pool does not take for a broken connection of its own. */
    private static final String NOT_IN_PREREQUISITE_STATE = "55000";

    private Failures() {}

    /** The client's error: the very exception of the origin, or one that says what another node said. */
    static SQLException of(NodeException failure, String origin) {
        if (failure.getCause() instanceof SQLException original
                && failure.node().equals(origin)) {
            return original;
        }
        ServerError error = failure.error();
        if (failure.isConnectionLost()) {
            // Class 08 and 57P would make a pool throw away the client's own, healthy connection.
            String detail = error.sqlState() + ": " + error.message();
            error = ServerError.of(NOT_IN_PREREQUISITE_STATE, "node " + failure.node() + " cannot be reached")
                    .with(detail, error.hint());
        }
        return exception(error, failure);
    }

    /** The client's error for a refusal of ddlrep's own. */
    static SQLException of(DdlrepException failure) {
        return exception(failure.error(), failure);
    }

    /** A refusal with a state and a message. */
    public static SQLException refusal(String sqlState, String message) {
        return exception(ServerError.of(sqlState, message), null);
    }

    /** The same error with its position moved, as for a piece of a text that was sent whole. */
    static SQLException shifted(SQLException failure, int characters) {
        ServerErrorMessage said = failure instanceof PSQLException psql ? psql.getServerErrorMessage() : null;
        if (said == null || said.getPosition() == 0 || characters == 0) {
            return failure;
        }
        Wire wire = new Wire()
                .field('S', said.getSeverity())
                .field('C', said.getSQLState())
                .field('M', said.getMessage())
                .field('D', said.getDetail())
                .field('H', said.getHint())
                .field('P', Integer.toString(said.getPosition() + characters))
                .field('W', said.getWhere())
                .field('s', said.getSchema())
                .field('t', said.getTable())
                .field('c', said.getColumn())
                .field('d', said.getDatatype())
                .field('n', said.getConstraint())
                .field('F', said.getFile())
                .field('L', Integer.toString(said.getLine()))
                .field('R', said.getRoutine());
        PSQLException moved = new PSQLException(wire.message());
        moved.setStackTrace(failure.getStackTrace());
        return moved;
    }

    /** A warning with a state and a message, as the server would have sent it. */
    static PSQLWarning warning(String sqlState, String message) {
        return new PSQLWarning(new Wire()
                .field('S', "WARNING")
                .field('C', sqlState)
                .field('M', message)
                .message());
    }

    /** Something that the engine tells the client. */
    static PSQLWarning notice(String message) {
        return new PSQLWarning(new Wire()
                .field('S', "NOTICE")
                .field('C', "00000")
                .field('M', message)
                .message());
    }

    private static SQLException exception(ServerError error, @Nullable Throwable cause) {
        PSQLException exception = new PSQLException(new Wire()
                .field('S', "ERROR")
                .field('C', error.sqlState())
                .field('M', error.message())
                .field('D', error.detail())
                .field('H', error.hint())
                .field('P', error.position() == 0 ? null : Integer.toString(error.position()))
                .field('W', error.where())
                .field('s', error.schema())
                .field('t', error.table())
                .field('c', error.column())
                .field('d', error.dataType())
                .field('n', error.constraint())
                .message());
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }

    /** An ErrorResponse's body, which pgjdbc reads back into fields. */
    private static final class Wire {
        private final StringBuilder body = new StringBuilder();

        Wire field(char type, @Nullable String value) {
            if (value != null) {
                body.append(type).append(value.replace('\0', ' ')).append('\0');
            }
            return this;
        }

        ServerErrorMessage message() {
            return new ServerErrorMessage(body.toString());
        }
    }
}
