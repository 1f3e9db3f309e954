package io.ddlrep.examples.load;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads the sum of all values on a replica again and again. Each transaction leaves it at 0, so anything else is a state that
 * the origin never had. {@link #run} is its thread's; the rest is thread-safe.
 */
final class SumReader implements Runnable {
    private static final Set<String> ALTERED = Set.of("42P01", "42703", "40P01");

    private final PgNode node;
    private final SharedShapes shapes;
    private final List<String> wrong = new ArrayList<>();
    private volatile boolean stopped;
    private final AtomicInteger reads = new AtomicInteger();

    SumReader(PgNode node, SharedShapes shapes) {
        this.node = node;
        this.shapes = shapes;
    }

    void stop() {
        stopped = true;
    }

    int reads() {
        return reads.get();
    }

    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    @Override
    public void run() {
        while (!stopped) {
            try (Connection connection = node.connect();
                    Statement statement = connection.createStatement()) {
                while (!stopped) {
                    read(statement);
                }
            } catch (SQLException e) {
                // The replica may be down for a while.
                if (!String.valueOf(e.getSQLState()).matches("08.*|57P0.")) {
                    note(e.toString());
                }
                java.util.concurrent.locks.LockSupport.parkNanos(50_000_000L);
            }
        }
    }

    private void read(Statement statement) throws SQLException {
        Shapes now = shapes.get();
        StringBuilder sql = new StringBuilder("SELECT ");
        for (Entity entity : Entity.values()) {
            if (entity.balanced()) {
                sql.append("(SELECT coalesce(sum(").append(now.value(entity)).append("), 0) FROM ");
                sql.append(now.table(entity)).append(") + ");
            }
        }
        try (ResultSet sum = statement.executeQuery(sql + "0")) {
            sum.next();
            reads.incrementAndGet();
            if (sum.getLong(1) != 0) {
                note("replica " + node.name() + " showed a sum of " + sum.getLong(1));
            }
        } catch (SQLException e) {
            if (!ALTERED.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
        }
        java.util.concurrent.locks.LockSupport.parkNanos(20_000_000L);
    }

    private synchronized void note(String what) {
        wrong.add(what);
    }
}
