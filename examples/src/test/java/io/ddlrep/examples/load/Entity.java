package io.ddlrep.examples.load;

/** The tables under load. Their names and columns change while they are written; see {@link Shapes}. */
enum Entity {
    /** Keyed; parent of {@link #ENTRY}; now and then with user triggers, so captured by row. */
    ACCT,
    /** Child of {@link #ACCT}: foreign key with cascades; its key is switched, dropped and made again. */
    ENTRY,
    /** Without a key, with equal rows; becomes keyed and back. */
    BAG,
    /** Partitioned on two levels. */
    PART,
    /** With triggers that change the same row again and write another table. */
    TRIG,
    /** Emptied by TRUNCATE now and then. */
    CUT,
    /** With an identity and generated columns. */
    GEN,
    /** With a key that is deferrable at times. */
    SWAP;

    /** Ids of rows that every writer changes; their sums are kept. */
    static final int HOT_ROWS = 4;

    String initialName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    boolean hasId() {
        return this != BAG;
    }

    boolean hasHotRows() {
        return this != BAG && this != CUT && this != ENTRY;
    }

    /** Whether its values count in the sum over all tables, which each transaction leaves at 0. */
    boolean balanced() {
        return this != CUT;
    }
}
