package io.ddlrep.testkit.dump;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The rows of a table as text that does not depend on where they or their columns lie on disk. Stateless. */
public final class TableDump {

    private TableDump() {}

    /**
     * Equal for equal rows: {@code <count> rows <md5>}. The md5 is taken over the md5 of each row, sorted; a row is its
     * values in the order of the columns' names.
     *
     * @param table name as SQL writes it, found through the connection's search path
     */
    public static String checksum(Connection connection, String table) throws SQLException {
        List<String> result = query(
                connection,
                table,
                "SELECT count(*) || ' rows ' || coalesce(md5(string_agg(h, '' ORDER BY h COLLATE \"C\")), 'none')"
                        + " FROM (SELECT md5(ROW(%s)::text) AS h FROM %s) AS hashed");
        return result.get(0);
    }

    /** All rows as text, sorted; for small tables and readable failures. */
    public static List<String> rows(Connection connection, String table) throws SQLException {
        return query(
                connection,
                table,
                "SELECT r FROM (SELECT ROW(%s)::text AS r FROM %s) AS written ORDER BY r COLLATE \"C\"");
    }

    private static List<String> query(Connection connection, String table, String form) throws SQLException {
        String name = qualified(connection, table);
        try (PinnedSession pinned = new PinnedSession(connection);
                Statement statement = pinned.createStatement()) {
            String columns = first(
                    statement,
                    "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attname) FROM pg_attribute"
                            + " WHERE attrelid = '" + name.replace("'", "''")
                            + "'::regclass AND attnum > 0 AND NOT attisdropped");
            List<String> result = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(String.format(form, columns, name))) {
                while (rows.next()) {
                    result.add(rows.getString(1));
                }
            }
            return result;
        }
    }

    private static String qualified(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return first(
                    statement,
                    "SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) FROM pg_catalog.pg_class c"
                            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = '"
                            + table.replace("'", "''") + "'::pg_catalog.regclass");
        }
    }

    private static String first(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            String value = rows.getString(1);
            return value == null ? "" : value;
        }
    }
}
