package io.ddlrep.testkit.load;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.SplittableRandom;

/** One writer's connection, as its transactions see it: every statement is timed. One thread at a time. */
public final class LoadSession {

    private final Connection connection;
    private final SplittableRandom random;
    private final Waits waits;

    LoadSession(Connection connection, SplittableRandom random, Waits waits) {
        this.connection = connection;
        this.random = random;
        this.waits = waits;
    }

    /** Runs one statement with its parameters; returns the count of rows, or -1 for a query. */
    public int execute(String sql, Object... parameters) throws SQLException {
        Waits.Running running = waits.begin();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.execute() ? -1 : statement.getUpdateCount();
        } finally {
            waits.end(running);
        }
    }

    /** This writer's random numbers: the same for the same seed and number of the writer. */
    public SplittableRandom random() {
        return random;
    }

    void commit() throws SQLException {
        Waits.Running running = waits.begin();
        try {
            connection.commit();
        } finally {
            waits.end(running);
        }
    }
}
