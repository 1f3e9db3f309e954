package io.ddlrep.benchmarks;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * PostgreSQL's own logical replication from one database to others on other servers: the peer. A slot is made anew for each
 * measurement, so that no decoding of an earlier one is paid by a later one. Used by one thread; closing it drops
 * subscriptions and publication.
 */
final class NativeLogical implements AutoCloseable {
    private static final long LIMIT_NANOS = 600_000_000_000L;

    private final PgNode publisher;
    private final List<PgNode> subscribers;

    private NativeLogical(PgNode publisher, List<PgNode> subscribers) {
        this.publisher = publisher;
        this.subscribers = List.copyOf(subscribers);
    }

    /** Subscribes without copying: both sides must hold the same rows. Nothing is applied before {@link #enable}. */
    static NativeLogical prepare(PgNode publisher, List<PgNode> subscribers) throws SQLException {
        publisher.execute("CREATE PUBLICATION bench FOR ALL TABLES");
        NativeLogical peer = new NativeLogical(publisher, subscribers);
        for (PgNode subscriber : subscribers) {
            subscriber.execute("CREATE SUBSCRIPTION " + peer.name(subscriber) + " CONNECTION '"
                    + publisher.conninfo().replace("'", "''")
                    + "' PUBLICATION bench WITH (copy_data = false, enabled = false)");
        }
        return peer;
    }

    private String name(PgNode subscriber) {
        return subscriber.database() + "_" + subscriber.name();
    }

    /** Lets the subscribers apply. */
    void enable() throws SQLException {
        for (PgNode subscriber : subscribers) {
            subscriber.execute("ALTER SUBSCRIPTION " + name(subscriber) + " ENABLE");
        }
    }

    /** Waits until a marker is seen on every subscriber: transactions are applied in the order of their commits. */
    void awaitMarker(int id) throws SQLException, InterruptedException {
        for (PgNode subscriber : subscribers) {
            awaitRow(subscriber, "SELECT 1 FROM app.marker WHERE id = " + id);
        }
    }

    private static void awaitRow(PgNode node, String sql) throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        try (Connection connection = node.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            while (true) {
                try (ResultSet rows = statement.executeQuery()) {
                    if (rows.next()) {
                        return;
                    }
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new SQLException("not seen on " + node + ": " + sql);
                }
                Thread.sleep(5);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        for (PgNode subscriber : subscribers) {
            subscriber.execute(
                    "ALTER SUBSCRIPTION " + name(subscriber) + " DISABLE", "DROP SUBSCRIPTION " + name(subscriber));
        }
        publisher.execute("DROP PUBLICATION bench");
    }
}
