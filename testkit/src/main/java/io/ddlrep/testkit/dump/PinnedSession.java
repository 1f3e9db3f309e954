package io.ddlrep.testkit.dump;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings that decide how PostgreSQL writes names and values as text, pinned for the time of a dump and put back after
 * it. Owned by one dump; one thread at a time.
 */
final class PinnedSession implements AutoCloseable {

    private static final Map<String, String> PINNED = Map.of(
            "search_path", "pg_catalog",
            "quote_all_identifiers", "off",
            "DateStyle", "ISO, YMD",
            "IntervalStyle", "postgres",
            "TimeZone", "UTC",
            "bytea_output", "hex",
            "extra_float_digits", "1",
            "row_security", "off");

    private final Connection connection;
    private final Map<String, String> before = new LinkedHashMap<>();

    PinnedSession(Connection connection) throws SQLException {
        this.connection = connection;
        for (Map.Entry<String, String> setting : PINNED.entrySet()) {
            before.put(setting.getKey(), call("SELECT pg_catalog.current_setting(?)", setting.getKey()));
            call("SELECT pg_catalog.set_config(?, ?, false)", setting.getKey(), setting.getValue());
        }
    }

    Statement createStatement() throws SQLException {
        return connection.createStatement();
    }

    private String call(String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        for (Map.Entry<String, String> setting : before.entrySet()) {
            call("SELECT pg_catalog.set_config(?, ?, false)", setting.getKey(), setting.getValue());
        }
    }
}
