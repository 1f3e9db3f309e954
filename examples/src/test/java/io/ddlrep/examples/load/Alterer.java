package io.ddlrep.examples.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Sends random operations through {@code jdbc:ddlrep:}: single statements in autocommit, scripts, transactions with DML and
 * savepoints, and some that fail or are rolled back. One thread at a time.
 */
final class Alterer {
    private static final Set<String> AGAIN = Set.of("40P01", "55P03");

    private final Connection connection;
    private final SplittableRandom random;
    private final SharedShapes shared;
    private final Book book = new Book(0);
    private final Actor actor;
    private final Map<String, Alterations.Kind> kinds = Alterations.all();
    private final List<String> names = new ArrayList<>(kinds.keySet());
    private final Map<String, Integer> again = new TreeMap<>();
    private final List<String> journal = new ArrayList<>();
    private Shapes working;
    private int next;
    private int alters;
    private boolean dml;

    Alterer(Connection connection, SplittableRandom random, SharedShapes shared) {
        this.connection = connection;
        this.random = random;
        this.shared = shared;
        this.working = shared.get().copy();
        this.actor = new Actor(connection, book, random, working, 1);
        for (int i = names.size(); i > 1; i--) {
            java.util.Collections.swap(names, i - 1, random.nextInt(i));
        }
    }

    Book book() {
        return book;
    }

    /** DDL statements that are committed, or were rolled back as meant. */
    int alters() {
        return alters;
    }

    /** How often an operation was refused in a way that asks for another try. */
    Map<String, Integer> again() {
        return again;
    }

    /** What it sent, for a report. */
    List<String> journal() {
        return journal;
    }

    /**
     * One operation.
     *
     * @return whether it was done; else it met a lock that it could not get or a deadlock, and changed nothing
     */
    boolean operation() throws SQLException {
        working = shared.get().copy();
        actor.shapes(working);
        journal.add("--");
        int before = alters;
        try {
            int choice = random.nextInt(10);
            if (choice < 3) {
                single();
            } else if (choice < 5) {
                script();
            } else if (choice < 6) {
                failing();
            } else {
                transaction();
            }
            return true;
        } catch (SQLException e) {
            journal.add("failed: " + e.getSQLState() + " " + e.getMessage());
            alters = before;
            book.undoTo(0);
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            if (dml && Writer.onePostgresWouldSaySo(actor.doing(), e)) {
                dml = false;
                return true;
            }
            if (isAgain(e)) {
                again.merge(e.getSQLState(), 1, Integer::sum);
                return false;
            }
            throw e;
        }
    }

    /** A lock that was not to be had, a deadlock, or replicas that a busy machine does not bring close. */
    private static boolean isAgain(SQLException e) {
        return AGAIN.contains(e.getSQLState()) || String.valueOf(e.getMessage()).contains("do not catch up");
    }

    private List<String> kind() {
        String name = names.get(next++ % names.size());
        journal.add(name);
        return Objects.requireNonNull(kinds.get(name)).make(working, random);
    }

    private void execute(String sql) throws SQLException {
        journal.add("  " + sql);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        alters++;
    }

    private void done() {
        book.commit();
        shared.set(working);
    }

    /** One statement in autocommit; more of them as one text, which is one transaction as well. */
    private void single() throws SQLException {
        List<String> sql = kind();
        execute(String.join("; ", sql));
        alters += sql.size() - 1;
        done();
    }

    private void script() throws SQLException {
        List<String> sql = new ArrayList<>(kind());
        sql.addAll(kind());
        execute(String.join(";\n", sql) + ";");
        alters += sql.size() - 1;
        done();
    }

    /** The last statement fails on every node, as it would on one: all is as before. */
    private void failing() throws SQLException {
        List<String> sql = new ArrayList<>(kind());
        sql.add("ALTER TABLE " + working.table(Entity.ACCT) + " ADD CONSTRAINT never CHECK (w > 1000)");
        try {
            execute(String.join("; ", sql));
        } catch (SQLException e) {
            if (!"23514".equals(e.getSQLState())) {
                throw e;
            }
            alters += sql.size();
            return;
        }
        throw new IllegalStateException("a check that rows violate was added");
    }

    private void transaction() throws SQLException {
        connection.setAutoCommit(false);
        for (int parts = random.nextInt(1, 4); parts > 0; parts--) {
            if (random.nextInt(3) == 0) {
                undone();
            } else {
                part();
            }
        }
        dml = true;
        actor.balance();
        dml = false;
        if (random.nextInt(5) == 0) {
            journal.add("  ROLLBACK");
            connection.rollback();
            book.undoTo(0);
        } else {
            journal.add("  COMMIT");
            connection.commit();
            done();
        }
        connection.setAutoCommit(true);
    }

    private void part() throws SQLException {
        for (int i = random.nextInt(3); i > 0; i--) {
            dml();
        }
        for (String sql : kind()) {
            execute(sql);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            dml();
        }
    }

    private void dml() throws SQLException {
        dml = true;
        actor.step();
        dml = false;
        journal.add("  " + actor.doing());
    }

    private void undone() throws SQLException {
        Shapes before = working.copy();
        int mark = book.mark();
        journal.add("  SAVEPOINT");
        Savepoint savepoint = connection.setSavepoint();
        part();
        if (random.nextBoolean()) {
            connection.rollback(savepoint);
            journal.add("  ROLLBACK TO SAVEPOINT");
            book.undoTo(mark);
            working = before;
            actor.shapes(working);
        } else {
            connection.releaseSavepoint(savepoint);
            journal.add("  RELEASE SAVEPOINT");
        }
    }
}
