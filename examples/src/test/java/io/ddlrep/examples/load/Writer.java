package io.ddlrep.examples.load;

import io.ddlrep.testkit.load.LoadGenerator;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A writer on the origin: random transactions until it is stopped. {@link #run} is its thread's; the rest is thread-safe. */
final class Writer implements Runnable {
    /** So that servers, writers and replicator all get their turn on a small machine. */
    private static final long PAUSE = 5_000_000L;

    private final LoadGenerator.Connector connector;
    private final Book book;
    private final SplittableRandom random;
    private final SharedShapes shapes;
    private final Map<String, Integer> errors = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private volatile boolean stopped;
    private final AtomicLong commits = new AtomicLong();

    Writer(LoadGenerator.Connector connector, int number, SplittableRandom random, SharedShapes shapes) {
        this.connector = connector;
        this.book = new Book(number);
        this.random = random;
        this.shapes = shapes;
    }

    /** Final when the thread has ended. */
    Book book() {
        return book;
    }

    long commits() {
        return commits.get();
    }

    void stop() {
        stopped = true;
    }

    /** How often it met which error that one PostgreSQL would give as well. */
    synchronized Map<String, Integer> errors() {
        return new TreeMap<>(errors);
    }

    /** Errors that it must not meet. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    @Override
    public void run() {
        try (Connection connection = connector.connect()) {
            connection.setAutoCommit(false);
            Actor actor = new Actor(connection, book, random, shapes.get(), 1);
            while (!stopped) {
                actor.shapes(shapes.get());
                LockSupport.parkNanos(PAUSE);
                try {
                    if (transaction(connection, actor)) {
                        commits.incrementAndGet();
                    }
                } catch (SQLException e) {
                    book.undoTo(0);
                    note(actor.doing(), e);
                    if (!connection.getAutoCommit()) {
                        connection.rollback();
                    }
                    connection.setAutoCommit(false);
                }
            }
        } catch (SQLException | RuntimeException e) {
            note("connection", e);
        }
    }

    /** Whether it committed. */
    private boolean transaction(Connection connection, Actor actor) throws SQLException {
        if (random.nextInt(5) == 0) {
            connection.setAutoCommit(true);
            actor.autocommitted();
            book.commit();
            connection.setAutoCommit(false);
            return true;
        }
        for (int steps = random.nextInt(1, 5); steps > 0; steps--) {
            actor.step();
        }
        actor.balance();
        if (random.nextInt(10) == 0) {
            connection.rollback();
            book.undoTo(0);
            return false;
        }
        connection.commit();
        book.commit();
        return true;
    }

    private synchronized void note(String doing, Exception e) {
        String state = e instanceof SQLException sql ? sql.getSQLState() : null;
        if (onePostgresWouldSaySo(doing, e)) {
            errors.merge(state + " on " + doing.replaceAll(" [A-Z]+$", ""), 1, Integer::sum);
        } else {
            java.io.StringWriter trace = new java.io.StringWriter();
            e.printStackTrace(new java.io.PrintWriter(trace));
            wrong.add("writer " + book.writer() + ", " + doing + ": " + state + " " + trace);
        }
    }

    /**
     * What a statement meets on one PostgreSQL while its tables are altered: an old name (42P01, 42703), a cached plan whose
     * result has another shape (0A000), locks taken in another order than a transaction with DDL takes them (40P01), a
     * column that was made NOT NULL (23502), no unique key to infer (42P10), a key that is not deferrable now (23505), a
     * trigger function in PL/pgSQL whose plan knows a column by its former type (42804: its manual warns of it). It sets
     * no limit to its waits, so none may end in 55P03 or 57014.
     */
    static boolean onePostgresWouldSaySo(String doing, Exception e) {
        if (!(e instanceof SQLException sql) || sql.getSQLState() == null) {
            return false;
        }
        String state = sql.getSQLState();
        String message = String.valueOf(sql.getMessage());
        return switch (state) {
            case "42P01", "42703", "40P01" -> true;
            case "0A000" -> message.contains("cached plan must not change result type");
            case "42804" ->
                message.contains("does not match that when preparing the plan")
                        && message.contains("PL/pgSQL function touch()");
            case "23502" -> doing.startsWith("insert") && message.contains("\"opt\"");
            case "42P10" -> doing.startsWith("upsert");
            case "23505" -> doing.startsWith("swap");
            default -> false;
        };
    }
}
