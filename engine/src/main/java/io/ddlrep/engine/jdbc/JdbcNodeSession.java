package io.ddlrep.engine.jdbc;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;

/**
 * A {@link NodeSession} over one pgjdbc connection. Used by one thread at a time.
 *
 * <p>The connection's autocommit mode is never touched: for sessions of our own it is on, so that only the SQL that is
 * sent begins and ends transactions; for a client's session it is the client's, and pgjdbc sends BEGIN where the client
 * turned autocommit off.
 */
public final class JdbcNodeSession implements NodeSession {
    private static final String QUERY_CANCELED = "57014";

    private final String node;
    private final Connection connection;
    private final BaseConnection base;
    private final boolean owned;
    private final Map<String, NumberedParameters> translated = new HashMap<>();
    private volatile @Nullable Statement running;

    private JdbcNodeSession(String node, Connection connection, boolean owned) throws SQLException {
        this.node = node;
        this.connection = connection;
        this.base = connection.unwrap(BaseConnection.class);
        this.owned = owned;
    }

    /** A session of our own: closing it closes the connection. */
    public static JdbcNodeSession owning(String node, Connection connection) {
        return wrap(node, connection, true);
    }

    /** A client's session: closing the {@code NodeSession} leaves the connection alone. */
    public static JdbcNodeSession borrowing(String node, Connection connection) {
        return wrap(node, connection, false);
    }

    private static JdbcNodeSession wrap(String node, Connection connection, boolean owned) {
        try {
            return new JdbcNodeSession(node, connection, owned);
        } catch (SQLException e) {
            throw SqlErrors.from(node, e, connection);
        }
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            running = statement;
            statement.setEscapeProcessing(false);
            // pgjdbc pipelines the statements of one text behind a single Sync: one round trip, as a simple query would
            // be.
            statement.execute(sql);
        } catch (SQLException e) {
            throw SqlErrors.from(node, e, connection);
        } finally {
            running = null;
        }
    }

    @Override
    public long update(String sql, @Nullable Object... parameters) {
        try (PreparedStatement statement = prepare(sql, parameters)) {
            running = statement;
            statement.execute();
            return Math.max(0, statement.getLargeUpdateCount());
        } catch (SQLException e) {
            throw SqlErrors.from(node, e, connection);
        } finally {
            running = null;
        }
    }

    @Override
    public List<Row> query(String sql, @Nullable Object... parameters) {
        List<List<Row>> results = queryEach(sql, parameters);
        return results.isEmpty() ? List.of() : results.get(results.size() - 1);
    }

    @Override
    public List<List<Row>> queryEach(String sql, @Nullable Object... parameters) {
        try (PreparedStatement statement = prepare(sql, parameters)) {
            running = statement;
            List<List<Row>> results = new ArrayList<>();
            boolean more = statement.execute();
            while (more || statement.getUpdateCount() != -1) {
                results.add(more ? rowsOf(statement.getResultSet()) : List.of());
                more = statement.getMoreResults();
            }
            return results;
        } catch (SQLException e) {
            throw SqlErrors.from(node, e, connection);
        } finally {
            running = null;
        }
    }

    private static List<Row> rowsOf(ResultSet result) throws SQLException {
        ResultSetMetaData meta = result.getMetaData();
        int width = meta.getColumnCount();
        List<String> names = new ArrayList<>(width);
        for (int i = 1; i <= width; i++) {
            names.add(meta.getColumnLabel(i));
        }
        List<Row> rows = new ArrayList<>();
        while (result.next()) {
            @Nullable String[] values = new String[width];
            for (int i = 0; i < width; i++) {
                values[i] = result.getString(i + 1);
            }
            rows.add(new Row(names, values));
        }
        return rows;
    }

    private PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        NumberedParameters text = translated.computeIfAbsent(sql, NumberedParameters::of);
        PreparedStatement statement = connection.prepareStatement(text.sql());
        try {
            int at = 1;
            for (int number : text.order()) {
                bind(statement, at++, parameters[number - 1]);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private void bind(PreparedStatement statement, int at, @Nullable Object value) throws SQLException {
        if (value instanceof List<?> list) {
            statement.setArray(at, connection.createArrayOf("text", list.toArray()));
        } else if (value == null) {
            statement.setNull(at, java.sql.Types.NULL);
        } else {
            statement.setObject(at, value);
        }
    }

    @Override
    public CopySource copyOut(String sql) {
        try {
            return new Source(
                    node,
                    base,
                    connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql));
        } catch (SQLException e) {
            throw SqlErrors.from(node, e, connection);
        }
    }

    @Override
    public CopySink copyIn(String sql) {
        try {
            return new Sink(
                    node,
                    base,
                    connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql));
        } catch (SQLException e) {
            throw SqlErrors.from(node, e, connection);
        }
    }

    @Override
    public TransactionStatus transactionStatus() {
        return switch (base.getTransactionState()) {
            case IDLE -> TransactionStatus.IDLE;
            case OPEN -> TransactionStatus.IN_TRANSACTION;
            case FAILED -> TransactionStatus.FAILED;
        };
    }

    @Override
    public void cancel() {
        Statement statement = running;
        try {
            if (statement != null) {
                statement.cancel();
            } else {
                base.cancelQuery();
            }
        } catch (SQLException ignored) {
            // The server ends the statement by itself, or the session is gone: nothing is left to cancel.
        }
    }

    @Override
    public boolean isClosed() {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    @Override
    public void close() {
        if (!owned) {
            return;
        }
        try {
            if (running == null) {
                connection.close();
            } else {
                // Another thread waits in this session: only cutting the socket ends that.
                connection.abort(Runnable::run);
            }
        } catch (SQLException ignored) {
            // The server rolls back when the socket goes.
        }
    }

    private static void cancel(CopyOperation copy) {
        try {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        } catch (SQLException ignored) {
            // Cancelling a COPY always ends in 57014, which is what was asked for.
        }
    }

    private record Source(String node, BaseConnection base, CopyOut copy) implements CopySource {
        @Override
        public byte @Nullable [] next() {
            try {
                return copy.readFromCopy();
            } catch (SQLException e) {
                throw SqlErrors.from(node, e, base);
            }
        }

        /** pgjdbc's own cancelCopy() leaves unread what the server had sent, for the next statement to stumble over. */
        @Override
        public void close() {
            if (!copy.isActive()) {
                return;
            }
            try {
                base.cancelQuery();
                while (copy.readFromCopy() != null) {
                    // to its end, or to the error that was asked for
                }
            } catch (SQLException e) {
                if (!QUERY_CANCELED.equals(e.getSQLState())) {
                    throw SqlErrors.from(node, e, base);
                }
            }
        }
    }

    private record Sink(String node, BaseConnection base, CopyIn copy) implements CopySink {
        @Override
        public void write(byte[] chunk) {
            try {
                copy.writeToCopy(chunk, 0, chunk.length);
            } catch (SQLException e) {
                throw SqlErrors.from(node, e, base);
            }
        }

        @Override
        public long finish() {
            try {
                return copy.endCopy();
            } catch (SQLException e) {
                throw SqlErrors.from(node, e, base);
            }
        }

        @Override
        public void close() {
            cancel(copy);
        }
    }

    /** For a failure that the server did not report. */
    static NodeException lost(String node, String what) {
        return new NodeException(node, ServerError.of("08006", what), null);
    }
}
