package io.ddlrep.benchmarks;

/**
 * One row of the table. Immutable.
 *
 * @param benchmark which measured it
 * @param what was measured, with its unit
 * @param ours median
 * @param peer median of the peer in the same run; NaN where there is no peer
 * @param goal what it is held against
 * @param note what else there is to say, such as the spread
 */
record Figure(String benchmark, String what, double ours, double peer, Goal goal, String note) {
    /** No peer. */
    static final double ALONE = Double.NaN;

    boolean hasPeer() {
        return !Double.isNaN(peer);
    }

    double ratio() {
        return ours / peer;
    }

    String verdict() {
        return goal.verdict(ours, peer);
    }
}
