package io.ddlrep.testkit;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * One database of a group, as seen by its superuser. Immutable; each call opens its own connection.
 *
 * @param name n1, n2, …
 * @param host name or address
 * @param port TCP port
 * @param database name of the database
 * @param superuser a role with all rights on the server
 * @param password of the superuser; empty when the server asks for none
 */
public record PgNode(String name, String host, int port, String database, String superuser, String password) {

    /** A new connection as the superuser; the caller closes it. */
    public Connection connect() throws SQLException {
        return connect(superuser, password);
    }

    /** A new connection as any role; the caller closes it. */
    public Connection connect(String user, String userPassword) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user, userPassword);
    }

    /** {@code jdbc:postgresql://host:port/database}, without credentials. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + URLEncoder.encode(database, StandardCharsets.UTF_8);
    }

    /** Keywords and values as libpq reads them, with the superuser's credentials. */
    public String conninfo() {
        return conninfo(superuser, password);
    }

    /** Keywords and values as libpq reads them; an empty password is left out. */
    public String conninfo(String user, String userPassword) {
        StringJoiner words = new StringJoiner(" ");
        words.add("host=" + quote(host)).add("port=" + port).add("dbname=" + quote(database));
        words.add("user=" + quote(user));
        if (!userPassword.isEmpty()) {
            words.add("password=" + quote(userPassword));
        }
        return words.toString();
    }

    /** Variables by which programs of libpq connect as the superuser. */
    public Map<String, String> environment() {
        return Map.of(
                "PGHOST", host,
                "PGPORT", Integer.toString(port),
                "PGDATABASE", database,
                "PGUSER", superuser,
                "PGPASSWORD", password);
    }

    /** The same node behind another address, such as that of a proxy. */
    public PgNode at(String otherHost, int otherPort) {
        return new PgNode(name, otherHost, otherPort, database, superuser, password);
    }

    /** The same node with another name. */
    PgNode named(String other) {
        return new PgNode(other, host, port, database, superuser, password);
    }

    /** The same server and credentials with another database. */
    public PgNode withDatabase(String other) {
        return new PgNode(name, host, port, other, superuser, password);
    }

    /** Runs each text as the superuser in autocommit, on one connection. */
    public void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** The first column of the first row as text; null for SQL's NULL and for no row. */
    public @Nullable String queryText(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    /** All rows, each as its values in text joined by {@code |}, NULL as {@code ∅}; in the query's order. */
    public List<String> queryRows(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> result = new ArrayList<>();
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                StringJoiner row = new StringJoiner("|");
                for (int column = 1; column <= columns; column++) {
                    String value = rows.getString(column);
                    row.add(value == null ? "∅" : value);
                }
                result.add(row.toString());
            }
            return result;
        }
    }

    private static String quote(String value) {
        boolean plain = !value.isEmpty() && value.chars().allMatch(c -> c > ' ' && c != '\'' && c != '\\');
        return plain ? value : "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    /** Name and address; no password. */
    @Override
    public String toString() {
        return name + " (" + host + ":" + port + "/" + database + ")";
    }
}
