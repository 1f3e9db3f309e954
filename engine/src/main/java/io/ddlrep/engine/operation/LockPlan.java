package io.ddlrep.engine.operation;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which locks an operation takes of its own before a statement, in one canonical order on every node. Immutable.
 *
 * @param locks by quoted name, sorted by it
 * @param complete false: the statement may lock more, so the origin goes first and a drain follows
 */
record LockPlan(List<TableLock> locks, boolean complete) {
    /** Table-level lock modes that an operation may take, weakest first. */
    enum Mode {
        /** What the server itself lets others read and write meanwhile: VALIDATE CONSTRAINT, which may take long, parameters. */
        SHARE_UPDATE_EXCLUSIVE("SHARE UPDATE EXCLUSIVE"),
        /** CREATE INDEX and REINDEX; sources of a materialized view, while it is filled. */
        SHARE("SHARE"),
        /** What the server itself lets others read meanwhile: foreign keys, both ends. */
        SHARE_ROW_EXCLUSIVE("SHARE ROW EXCLUSIVE"),
        /** Row shape or capture objects change. */
        ACCESS_EXCLUSIVE("ACCESS EXCLUSIVE");

        private final String sql;

        Mode(String sql) {
            this.sql = sql;
        }
    }

    /**
     * A lock.
     *
     * @param table qualified, quoted name
     * @param mode how strong
     */
    record TableLock(String table, Mode mode) {}

    /** A plan that takes no lock. */
    static LockPlan none(boolean complete) {
        return new LockPlan(List.of(), complete);
    }

    /** Collects locks; the strongest mode of a table wins. */
    static final class Builder {
        private final TreeMap<String, Mode> modes = new TreeMap<>();

        void add(String table, Mode mode) {
            modes.merge(table, mode, (a, b) -> a.compareTo(b) >= 0 ? a : b);
        }

        LockPlan build(boolean complete) {
            return new LockPlan(
                    modes.entrySet().stream()
                            .map(e -> new TableLock(e.getKey(), e.getValue()))
                            .toList(),
                    complete);
        }
    }

    boolean isEmpty() {
        return locks.isEmpty();
    }

    List<String> tables() {
        return locks.stream().map(TableLock::table).toList();
    }

    /** LOCK TABLE statements, one for each table, in order; partitions are named on their own, so ONLY. */
    String sql() {
        return locks.stream()
                .map(l -> "LOCK TABLE ONLY " + l.table() + " IN " + l.mode().sql + " MODE")
                .collect(Collectors.joining("; "));
    }
}
