package io.ddlrep.examples.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * An application in a process of its own, with one connection that stays open. Each line that it reads is one thing to do, each
 * line that it writes says what came of it.
 */
final class JvmMain {
    private JvmMain() {}

    /** Arguments: URL, user, password. */
    public static void main(String[] args) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection(args[0], args[1], args[2]);
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                long began = System.nanoTime();
                String outcome;
                try {
                    outcome = perform(connection, line.substring(0, 1), line.substring(2));
                } catch (SQLException e) {
                    outcome = e.getSQLState() + " "
                            + String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
                    if (!connection.getAutoCommit()) {
                        connection.rollback();
                        connection.setAutoCommit(true);
                    }
                }
                System.out.println((System.nanoTime() - began) / 1_000_000 + " " + outcome);
            }
        }
    }

    /** {@code t}: statements in one transaction; {@code s}: one text in autocommit; {@code q}: a query that is prepared. */
    private static String perform(Connection connection, String how, String sql) throws SQLException {
        switch (how) {
            case "t" -> {
                connection.setAutoCommit(false);
                for (String one : sql.split(";", -1)) {
                    execute(connection, one);
                }
                connection.commit();
                connection.setAutoCommit(true);
            }
            case "s" -> execute(connection, sql);
            default -> {
                return query(connection, sql);
            }
        }
        return "done";
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Columns and values of the first row; run often enough for the driver and the server to keep a plan. */
    private static String query(Connection connection, String sql) throws SQLException {
        String result = "";
        for (int i = 0; i < 8; i++) {
            try (PreparedStatement statement = connection.prepareStatement(sql);
                    ResultSet rows = statement.executeQuery()) {
                StringBuilder row = new StringBuilder();
                boolean found = rows.next();
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    row.append(rows.getMetaData().getColumnName(column)).append('=');
                    row.append(found ? rows.getString(column) : "").append(' ');
                }
                result = row.toString().strip();
            }
        }
        return result;
    }
}
