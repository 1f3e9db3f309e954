package io.ddlrep.testkit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Drops a test's database whatever the test has left in it. Stateless and thread-safe. */
final class DatabaseDrop {

    // Each query gives statements that remove one kind of thing that would forbid the drop, in this order.
    private static final List<String> OBSTACLES = List.of(
            "SELECT format('ALTER SUBSCRIPTION %I DISABLE; ALTER SUBSCRIPTION %1$I SET (slot_name = NONE);"
                    + " DROP SUBSCRIPTION %1$I', subname) FROM pg_subscription s"
                    + " JOIN pg_database d ON d.oid = s.subdbid WHERE d.datname = current_database()",
            "SELECT format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts WHERE database = current_database()",
            "SELECT format('SELECT pg_terminate_backend(%s)', active_pid) FROM pg_replication_slots"
                    + " WHERE database = current_database() AND active_pid IS NOT NULL",
            "SELECT format('SELECT pg_drop_replication_slot(%L)', slot_name) FROM pg_replication_slots"
                    + " WHERE database = current_database()");

    private DatabaseDrop() {}

    static void drop(PgNode node) throws SQLException {
        try (Connection connection = node.connect();
                Statement statement = connection.createStatement()) {
            for (String obstacle : OBSTACLES) {
                for (String cure : texts(statement, obstacle)) {
                    for (String sql : cure.split("; ", -1)) {
                        statement.execute(sql);
                    }
                }
            }
        }
        // template1 is there on every server, and CREATE DATABASE of the testkit copies template0.
        node.withDatabase("template1").execute("DROP DATABASE \"" + node.database() + "\" WITH (FORCE)");
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
