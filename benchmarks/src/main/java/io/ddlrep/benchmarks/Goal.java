package io.ddlrep.benchmarks;

import java.util.Locale;

/**
 * What a figure is held against. Immutable.
 *
 * @param kind what is compared
 * @param limit with what
 */
record Goal(Kind kind, double limit) {
    /** There is none. */
    static final Goal NONE = new Goal(Kind.NONE, 0);

    /** What is compared. */
    enum Kind {
        NONE,
        RATIO_AT_MOST,
        RATIO_AT_LEAST,
        OURS_AT_MOST
    }

    static Goal ratioAtMost(double limit) {
        return new Goal(Kind.RATIO_AT_MOST, limit);
    }

    static Goal ratioAtLeast(double limit) {
        return new Goal(Kind.RATIO_AT_LEAST, limit);
    }

    static Goal oursAtMost(double limit) {
        return new Goal(Kind.OURS_AT_MOST, limit);
    }

    /** The goal as the table shows it. */
    String text() {
        return switch (kind) {
            case NONE -> "-";
            case RATIO_AT_MOST -> "ratio <= " + number();
            case RATIO_AT_LEAST -> "ratio >= " + number();
            case OURS_AT_MOST -> "ours <= " + number();
        };
    }

    private String number() {
        return limit == Math.rint(limit) ? String.format(Locale.ROOT, "%.0f", limit) : Double.toString(limit);
    }

    /** {@code met}, {@code MISSED}, or {@code -} where there is no goal. */
    String verdict(double ours, double peer) {
        return switch (kind) {
            case NONE -> "-";
            case RATIO_AT_MOST -> word(ours / peer <= limit);
            case RATIO_AT_LEAST -> word(ours / peer >= limit);
            case OURS_AT_MOST -> word(ours <= limit);
        };
    }

    private static String word(boolean met) {
        return met ? "met" : "MISSED";
    }
}
