package io.ddlrep.benchmarks;

import java.io.IOException;
import java.sql.SQLException;

/** One comparison. Used by one thread. */
interface Benchmark {
    /** What {@code --only} calls it. */
    String name();

    /**
     * Measures and reports.
     *
     * @param lab servers, and how much is asked for
     * @param report takes the figures
     */
    void run(Lab lab, Report report) throws SQLException, IOException, InterruptedException;
}
