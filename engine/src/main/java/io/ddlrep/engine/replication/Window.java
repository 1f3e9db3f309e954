package io.ddlrep.engine.replication;

import io.ddlrep.engine.substrate.Point;
import java.util.List;

/**
 * The changes that a replica lacks at a point. Immutable.
 *
 * @param position what the replica has
 * @param upTo where it shall be
 * @param skipped what it has although the position does not say so
 */
record Window(PgSnapshot position, Point upTo, List<Skip> skipped) {
    /**
     * Rows that the replica got with a DDL operation.
     *
     * @param xid the operation's transaction on the origin
     * @param lastCarriedSeq the last of its changes that was carried
     */
    record Skip(long xid, long lastCarriedSeq) {}

    /** The condition on a shadow table's rows, as SQL. */
    String condition() {
        PgSnapshot target = PgSnapshot.parse(upTo.snapshot());
        StringBuilder sql = new StringBuilder("s.xid >= '" + position.xmin() + "'::xid8 AND s.xid < '" + target.xmax()
                + "'::xid8 AND pg_visible_in_snapshot(s.xid, '" + target + "'::pg_snapshot)"
                + " AND NOT pg_visible_in_snapshot(s.xid, '" + position + "'::pg_snapshot)");
        for (Skip skip : skipped) {
            sql.append(" AND NOT (s.xid = '")
                    .append(skip.xid())
                    .append("'::xid8 AND s.seq <= ")
                    .append(skip.lastCarriedSeq())
                    .append(')');
        }
        return sql.toString();
    }
}
