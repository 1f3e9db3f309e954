package io.ddlrep.engine.replication;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.node.Row;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the origin has changes behind a point, for the price of one tiny query while nothing happens. Used by one
 * thread.
 *
 * <p>How: while no transaction at all has finished since a look, nothing can be new; else the shadow tables that hold
 * anything are asked. (A snapshot's {@code xmax} is behind the last <em>finished</em> transaction, so that running ones may
 * stand at or above it: only the set of what is seen says anything, never the list of what runs.)
 */
final class ChangeWatch {
    private static final String READING =
            "SELECT (SELECT c.last_value FROM ddlrep.change_seq c) AS last," + " pg_current_snapshot() AS snapshot";
    private static final String GENERATIONS = SqlResource.text("sql/written_shadow_names.sql");

    private final NodeSession origin;
    private @Nullable PgSnapshot looked;

    ChangeWatch(NodeSession origin) {
        this.origin = origin;
    }

    /**
     * Whether anything is committed now that a point does not see.
     *
     * @param point the snapshot of the last point that was taken
     */
    boolean changedSince(String point) {
        PgSnapshot now = PgSnapshot.parse(origin.query(READING).get(0).text("snapshot"));
        PgSnapshot before = looked;
        if (before != null && before.covers(now)) {
            return false;
        }
        looked = now;
        return DroppedShadow.lookAgain(origin, () -> exists(point));
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
