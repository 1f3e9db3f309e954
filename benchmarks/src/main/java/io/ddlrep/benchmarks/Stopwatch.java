package io.ddlrep.benchmarks;

import java.sql.SQLException;

/** Times work by the clock on the wall. Stateless. */
final class Stopwatch {
    private Stopwatch() {}

    /** Work on a database. */
    @FunctionalInterface
    interface Work {
        void run() throws SQLException;
    }

    /** Milliseconds that the work takes. */
    static double millis(Work work) throws SQLException {
        long start = System.nanoTime();
        work.run();
        return millisSince(start);
    }

    /** Milliseconds since a value of {@code System.nanoTime}. */
    static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }
}
