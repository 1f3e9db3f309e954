package io.ddlrep.engine.replication;

import io.ddlrep.engine.capture.Quote;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the origin has changes behind a point, for the price of one tiny query while nothing happens. Used by one
 * thread.
 *
 * <p>How: a change takes a number from one sequence after its transaction has an xid. If no number was taken since a
 * reading, and of the transactions that ran at the snapshot after that reading none has finished, nothing can be new.
 * Otherwise the shadow tables are asked.
 */
final class ChangeWatch {
    private static final String READING =
            "SELECT (SELECT c.last_value FROM ddlrep.change_seq c) AS last," + " pg_current_snapshot() AS snapshot";
    private static final String GENERATIONS = SqlResource.text("sql/written_shadow_names.sql");

    private final NodeSession origin;
    private @Nullable Quiet quiet;
    private long previous = -1;

    /** While this holds nothing is new. */
    private record Quiet(long last, PgSnapshot snapshot) {}

    ChangeWatch(NodeSession origin) {
        this.origin = origin;
    }

    /**
     * Whether anything is committed now that a point does not see.
     *
     * @param point the snapshot of the last point that was taken
     */
    boolean changedSince(String point) {
        Row row = origin.query(READING).get(0);
        long last = row.number("last");
        PgSnapshot snapshot = PgSnapshot.parse(row.text("snapshot"));
        Quiet known = quiet;
        if (known != null && known.last() == last && !known.snapshot().anyFinishedIn(snapshot)) {
            previous = last;
            return false;
        }
        quiet = new Quiet(previous, snapshot);
        previous = last;
        return exists(point);
    }

    private boolean exists(String point) {
        StringBuilder sql = new StringBuilder("SELECT ");
        String or = "";
        for (Row row : origin.query(GENERATIONS)) {
            sql.append(or)
                    .append("EXISTS (SELECT FROM ddlrep_shadow.")
                    .append(Quote.name(row.text("shadow")))
                    .append(" s WHERE NOT pg_visible_in_snapshot(s.xid, '")
                    .append(point)
                    .append("'::pg_snapshot))");
            or = " OR ";
        }
        return !or.isEmpty() && origin.query(sql + " AS changed").get(0).flag("changed");
    }
}
