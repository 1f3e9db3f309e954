package io.ddlrep.driver;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.util.PSQLException;

/** Everything that a client can see of what it does, line by line, so that two drivers can be compared. */
final class Transcript {
    private final Connection connection;
    private final List<String> lines = new ArrayList<>();

    Transcript(Connection connection) {
        this.connection = connection;
    }

    /** Something done with the connection. */
    interface Action {
        @Nullable
        Object run(Connection connection) throws SQLException;
    }

    List<String> lines() {
        return lines;
    }

    Transcript execute(String sql) throws SQLException {
        return act("execute " + sql, con -> {
            try (Statement statement = con.createStatement()) {
                boolean rows = statement.execute(sql);
                return rows + " " + chain(statement, rows);
            }
        });
    }

    Transcript query(String sql) throws SQLException {
        return act("query " + sql, con -> {
            try (Statement statement = con.createStatement();
                    ResultSet rows = statement.executeQuery(sql)) {
                return text(rows) + warnings(statement.getWarnings());
            }
        });
    }

    Transcript update(String sql) throws SQLException {
        return act("update " + sql, con -> {
            try (Statement statement = con.createStatement()) {
                return statement.executeUpdate(sql) + warnings(statement.getWarnings());
            }
        });
    }

    Transcript largeUpdate(String sql) throws SQLException {
        return act("largeUpdate " + sql, con -> {
            try (Statement statement = con.createStatement()) {
                return statement.executeLargeUpdate(sql);
            }
        });
    }

    Transcript keys(String sql) throws SQLException {
        return act("keys " + sql, con -> {
            try (Statement statement = con.createStatement()) {
                boolean rows = statement.execute(sql, Statement.RETURN_GENERATED_KEYS);
                return rows + " " + text(statement.getGeneratedKeys()) + " " + chain(statement, rows);
            }
        });
    }

    Transcript prepared(String sql) throws SQLException {
        return act("prepared " + sql, con -> {
            try (var statement = con.prepareStatement(sql)) {
                boolean rows = statement.execute();
                return rows + " " + chain(statement, rows);
            }
        });
    }

    Transcript batch(String... entries) throws SQLException {
        return act("batch " + String.join(" | ", entries), con -> {
            try (Statement statement = con.createStatement()) {
                for (String entry : entries) {
                    statement.addBatch(entry);
                }
                return Arrays.toString(statement.executeBatch());
            }
        });
    }

    Transcript act(String name, Action action) throws SQLException {
        String said;
        try {
            said = String.valueOf(action.run(connection));
        } catch (SQLException e) {
            said = error(e);
        }
        BaseConnection base = connection.unwrap(BaseConnection.class);
        lines.add(name + "\n    -> " + said + "\n    -> " + base.getTransactionState()
                + (connection.getAutoCommit() ? " autocommit" : ""));
        return this;
    }

    private static String chain(Statement statement, boolean first) throws SQLException {
        StringJoiner results = new StringJoiner(", ");
        boolean rows = first;
        while (rows || statement.getUpdateCount() != -1) {
            results.add(rows ? text(statement.getResultSet()) : "count " + statement.getLargeUpdateCount());
            rows = statement.getMoreResults();
        }
        return results + warnings(statement.getWarnings());
    }

    private static String text(@Nullable ResultSet rows) throws SQLException {
        if (rows == null) {
            return "none";
        }
        StringJoiner all = new StringJoiner("; ", "rows(", ")");
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            StringJoiner row = new StringJoiner(",");
            for (int i = 1; i <= columns; i++) {
                row.add(rows.getString(i));
            }
            all.add(row.toString());
        }
        return all.toString();
    }

    private static String warnings(@Nullable SQLWarning first) {
        StringJoiner all = new StringJoiner("; ", " warnings(", ")").setEmptyValue("");
        for (SQLWarning at = first; at != null; at = at.getNextWarning()) {
            all.add(at.getSQLState() + " " + at.getMessage());
        }
        return all.toString();
    }

    static String error(SQLException e) {
        String text = String.format(Locale.ROOT, "%s %s %s", type(e), e.getSQLState(), e.getMessage());
        if (e instanceof PSQLException psql && psql.getServerErrorMessage() != null) {
            text += " at " + psql.getServerErrorMessage().getPosition();
        }
        if (e instanceof BatchUpdateException batch) {
            text += " counts " + Arrays.toString(batch.getUpdateCounts());
        }
        return e.getNextException() == null ? text : text + " next(" + error(e.getNextException()) + ")";
    }

    private static String type(SQLException e) {
        return e.getClass().getSimpleName();
    }
}
