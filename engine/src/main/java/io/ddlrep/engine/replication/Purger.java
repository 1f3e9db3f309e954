package io.ddlrep.engine.replication;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Takes away what every replica has durably: changes, closed generations, old ticks. Used by one thread.
 *
 * <p>Crash rule: positions are recorded on the origin only after the replica has flushed them, and changes are deleted only
 * behind recorded positions; so a replica that crashes never misses anything. Deleting half of it does no harm. A position
 * counts only if the session that saw it still lives when the log is flushed: a crash in between ends it.
 */
final class Purger implements AutoCloseable {
    private static final String WRITTEN = SqlResource.text("sql/written_shadow_names.sql");
    private static final String PRUNE_TICKS = SqlResource.text("sql/prune_ticks.sql");
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** What the server says of a row of its catalogs that another transaction has just committed; it has no code of its own. */
    private static final String CHANGED_MEANWHILE = "tuple concurrently updated";

    /** How long others may have to wait for what is done under a table's lock. */
    private static final int PATIENCE_MILLIS = 50;

    /** Up to this size a shadow table is looked through while writers are locked out for it. */
    private static final long SMALL = 4 << 20;

    private static final long WORTH_VACUUM = 2000;

    private final NodeAccess access;
    private final NodeSession session;
    private final String origin;
    private final boolean superuser;
    private final Map<String, Seen> seen = new HashMap<>();
    private final Map<String, NodeSession> replicas = new HashMap<>();

    /** A position that a replica had, and up to where its log must be flushed for it to last. */
    private record Seen(long tick, String snapshot, String lsn) {}

    Purger(NodeAccess access, NodeSession session, String origin) {
        this.access = access;
        this.session = session;
        this.origin = origin;
        this.superuser = session.query("SHOW is_superuser").get(0).text(0).equals("on");
    }

    /** One round; what cannot be done now is left to the next. */
    void run() {
        confirm();
        for (Row row : session.query(WRITTEN)) {
            List<String> snapshots = snapshots(row.text("publication"));
            if (!snapshots.isEmpty()) {
                purge(row, consumed(snapshots));
            }
        }
        dropClosed();
        session.update(PRUNE_TICKS, origin);
    }

    /** Records positions that are durable on the replicas by now. */
    private void confirm() {
        for (Row row : session.query(
                "SELECT n.publication, n.node FROM ddlrep.publication_node n JOIN ddlrep.publication p"
                        + " ON p.name = n.publication WHERE p.origin = $1 AND n.node <> $1 AND n.state = 'active'",
                origin)) {
            String publication = row.text("publication");
            String node = row.text("node");
            try {
                confirm(publication, node, replicas.computeIfAbsent(node, access::service));
            } catch (NodeException e) {
                // The replica is away, or was: what it lacks is kept.
                forget(node);
            }
        }
    }

    private void forget(String node) {
        seen.keySet().removeIf(key -> key.endsWith(" " + node));
        NodeSession replica = replicas.remove(node);
        if (replica != null) {
            replica.close();
        }
    }

    @Override
    public void close() {
        replicas.values().forEach(NodeSession::close);
        replicas.clear();
    }

    private void confirm(String publication, String node, NodeSession replica) {
        List<Row> rows = replica.query(
                "SELECT s.tick, s.snapshot, pg_current_wal_insert_lsn() AS lsn FROM ddlrep.subscription s"
                        + " WHERE s.publication = $1",
                publication);
        if (rows.isEmpty()) {
            return;
        }
        String key = publication + " " + node;
        Seen known = seen.get(key);
        boolean flushed = known != null
                && replica.query("SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn AS flushed", known.lsn())
                        .get(0)
                        .flag("flushed");
        Row now = rows.get(0);
        if (known != null && !PgSnapshot.parse(now.text("snapshot")).covers(PgSnapshot.parse(known.snapshot()))) {
            // A crash took what was seen; what is recorded was flushed.
            seen.remove(key);
            return;
        }
        if (flushed) {
            session.update(
                    "UPDATE ddlrep.publication_node SET tick = $3, snapshot = $4::pg_snapshot,"
                            + " confirmed_at = clock_timestamp() WHERE publication = $1 AND node = $2"
                            + " AND tick IS DISTINCT FROM $3",
                    publication,
                    node,
                    Objects.requireNonNull(known).tick(),
                    known.snapshot());
        }
        seen.put(key, new Seen(now.number("tick"), now.text("snapshot"), now.text("lsn")));
    }

    /** The positions of all replicas of a publication; empty where one is not known, so that nothing is purged. */
    private List<String> snapshots(String publication) {
        List<String> snapshots = new ArrayList<>();
        for (Row row : session.query(
                "SELECT n.snapshot FROM ddlrep.publication_node n WHERE n.publication = $1 AND n.node <> $2",
                publication,
                origin)) {
            String snapshot = row.get("snapshot");
            if (snapshot == null) {
                return List.of();
            }
            snapshots.add(snapshot);
        }
        return snapshots;
    }

    private static String consumed(List<String> snapshots) {
        return snapshots.stream()
                .map(snapshot -> "pg_visible_in_snapshot(s.xid, '" + snapshot + "'::pg_snapshot)")
                .collect(Collectors.joining(" AND "));
    }

    private void purge(Row row, String consumed) {
        String shadow = "ddlrep_shadow." + Quote.name(row.text("shadow"));
        if (row.number("bytes") <= SMALL && truncate(shadow, consumed)) {
            return;
        }
        long deleted = session.update("DELETE FROM " + shadow + " s WHERE " + consumed);
        // Others than superusers may not, for want of ownership: there autovacuum does it.
        if (deleted >= WORTH_VACUUM && superuser) {
            session.execute("VACUUM (TRUNCATE true) " + shadow);
        }
    }

    /** Empties a small shadow table at once if nobody writes it at this moment and all of it was consumed. */
    private boolean truncate(String shadow, String consumed) {
        if (left(shadow, consumed)) {
            return false;
        }
        return underLock(shadow, () -> {
            if (!left(shadow, consumed)) {
                session.execute("TRUNCATE " + shadow);
            }
        });
    }

    private boolean left(String shadow, String consumed) {
        return session.query("SELECT EXISTS (SELECT FROM " + shadow + " s WHERE NOT (" + consumed + ")) AS left")
                .get(0)
                .flag("left");
    }

    /** Runs some work while nobody else uses a table; false if somebody does. Nobody is ever made to wait for us. */
    private boolean underLock(String table, Runnable work) {
        session.execute("BEGIN");
        try {
            // A client's operation that has changed rights on the table holds its row of pg_class: whoever waited for
            // that with
            // the table's lock in hand would stop the drain that the operation itself waits for.
            session.execute("SET LOCAL lock_timeout = '" + PATIENCE_MILLIS + "ms'");
            session.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE NOWAIT");
            work.run();
            session.execute("COMMIT");
            return true;
        } catch (NodeException e) {
            if (!e.isConnectionLost()) {
                session.execute("ROLLBACK");
            }
            if (e.sqlState().equals(LOCK_NOT_AVAILABLE) || e.error().message().contains(CHANGED_MEANWHILE)) {
                return false;
            }
            throw e;
        }
    }

    /** Drops generations that a committed operation closed and that hold nothing any more. */
    private void dropClosed() {
        for (Row row :
                session.query("SELECT g.table_id, g.generation, g.shadow, g.publication FROM ddlrep.shadow_generation g"
                        + " WHERE g.closed_by IS NOT NULL")) {
            List<String> snapshots = snapshots(row.text("publication"));
            if (snapshots.isEmpty()) {
                continue;
            }
            String shadow = "ddlrep_shadow." + Quote.name(row.text("shadow"));
            String consumed = consumed(snapshots);
            if (left(shadow, consumed)) {
                continue;
            }
            underLock(shadow, () -> {
                if (!left(shadow, consumed)) {
                    session.query(
                            "SELECT ddlrep.drop_generation($1, $2::int)",
                            row.number("table_id"),
                            row.number("generation"));
                }
            });
        }
    }
}
