package io.ddlrep.examples.regression;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** A session of a script: what it answers, reduced to what can be compared. Used by one thread. */
final class Side implements AutoCloseable {
    private final Connector connector;
    private Connection connection;

    /** Opens the session for a user; empty for the superuser. */
    @FunctionalInterface
    interface Connector {
        Connection connect(String user) throws SQLException;
    }

    /** What came of a statement: its error's SQLSTATE and message, both empty where it succeeded, and the rows of its last result. */
    record Outcome(String state, String message, List<Map<String, @Nullable String>> rows) {
        static Outcome of(List<Map<String, @Nullable String>> rows) {
            return new Outcome("", "", rows);
        }

        boolean ok() {
            return state.isEmpty();
        }
    }

    Side(Connector connector) throws SQLException {
        this.connector = connector;
        this.connection = connector.connect("");
    }

    Connection connection() {
        return connection;
    }

    void reconnect(String user) throws SQLException {
        connection.close();
        connection = connector.connect(user);
    }

    /** Whether no transaction block is open. */
    boolean isIdle() throws SQLException {
        return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
    }

    Outcome run(String sql, String copyData) {
        try {
            if (isCopyFromStdin(sql)) {
                connection.unwrap(PGConnection.class).getCopyAPI().copyIn(stripped(sql), new StringReader(copyData));
                return Outcome.of(List.of());
            }
            if (sql.toLowerCase(Locale.ROOT).matches("(?s)copy\\b.*\\bto\\s+stdout\\b.*")) {
                connection.unwrap(PGConnection.class).getCopyAPI().copyOut(stripped(sql), new java.io.StringWriter());
                return Outcome.of(List.of());
            }
            return execute(sql);
        } catch (SQLException e) {
            return new Outcome(
                    String.valueOf(e.getSQLState()),
                    String.valueOf(e.getMessage()).replace('\n', ' '),
                    List.of());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isCopyFromStdin(String sql) {
        return sql.toLowerCase(Locale.ROOT).matches("(?s)copy\\b.*\\bfrom\\s+stdin\\b.*");
    }

    private static String stripped(String sql) {
        return sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql;
    }

    private Outcome execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            List<Map<String, @Nullable String>> rows = new ArrayList<>();
            boolean more = statement.execute(sql);
            while (more || statement.getUpdateCount() != -1) {
                if (more) {
                    rows = rows(statement.getResultSet());
                }
                more = statement.getMoreResults();
            }
            return Outcome.of(rows);
        }
    }

    private static List<Map<String, @Nullable String>> rows(ResultSet result) throws SQLException {
        List<Map<String, @Nullable String>> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next() && rows.size() < 1000) {
            Map<String, @Nullable String> row = new LinkedHashMap<>();
            for (int i = 1; i <= columns; i++) {
                row.put(result.getMetaData().getColumnLabel(i), result.getString(i));
            }
            rows.add(row);
        }
        return rows;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
