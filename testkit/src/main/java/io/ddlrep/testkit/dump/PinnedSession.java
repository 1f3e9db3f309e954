package io.ddlrep.testkit.dump;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

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
        // In one round trip each: a dump is read many times in a test run.
        StringJoiner reads = new StringJoiner(", ", "SELECT ", "");
        PINNED.keySet().forEach(name -> reads.add("pg_catalog.current_setting('" + name + "') AS \"" + name + "\""));
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(reads.toString())) {
            row.next();
            for (String name : PINNED.keySet()) {
                before.put(name, row.getString(name));
            }
        }
        set(PINNED);
    }

    private void set(Map<String, String> settings) throws SQLException {
        StringJoiner sets = new StringJoiner(", ", "SELECT ", "");
        settings.keySet().forEach(name -> sets.add("pg_catalog.set_config('" + name + "', ?, false)"));
        try (PreparedStatement statement = connection.prepareStatement(sets.toString())) {
            int at = 1;
            for (String value : settings.values()) {
                statement.setString(at++, value);
            }
            statement.execute();
        }
    }

    Statement createStatement() throws SQLException {
        return connection.createStatement();
    }

    PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    @Override
    public void close() throws SQLException {
        set(before);
    }
}
