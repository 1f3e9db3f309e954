package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * Initial rows by COPY in text form, from one snapshot of the origin. The snapshot becomes a tick, and the replica stands
 * at it when its transaction commits: what was captured before it is in the copy, what comes after it is applied.
 * Stateless.
 *
 * <p>Crash rule: before a replica's COMMIT it has no rows and no position; the publication is then taken away or made
 * anew.
 */
public final class CopiedRows implements InitialRows {
    private static final String SETTINGS =
            "SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle ="
                    + " 'postgres'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output ="
                    + " 'hex'; SET LOCAL row_security = off; SET LOCAL statement_timeout = 0";

    private static final String LEAVES = """
            SELECT pg_catalog.quote_ident(s.nspname) || '.' || pg_catalog.quote_ident(c.relname) AS name,
                pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attname COLLATE "C") AS columns,
                pg_catalog.string_agg('pg_catalog.quote_nullable(' || pg_catalog.quote_ident(a.attname) || '::text)', ', ' ORDER BY a.attname COLLATE "C") AS image
            FROM ddlrep.replicated_table t JOIN pg_catalog.pg_class c ON c.oid = t.relid
            JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            WHERE t.publication = $1 AND c.relkind = 'r' GROUP BY 1 ORDER BY 1""";

    private static final String SEQUENCES = """
            SELECT DISTINCT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(s.relname) AS name
            FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class s ON s.oid = d.objid AND s.relkind = 'S'
            JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace JOIN ddlrep.replicated_table t ON t.relid = d.refobjid
            WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
                AND d.deptype IN ('a', 'i') AND t.publication = $1 ORDER BY 1""";

    /** Makes it. */
    public CopiedRows() {}

    @Override
    public void start(GroupMember origin, List<GroupMember> replicas, String publication, List<String> tables) {
        for (GroupMember replica : replicas) {
            start(origin.session(), replica.session(), publication);
        }
    }

    private static void start(NodeSession origin, NodeSession replica, String publication) {
        Row tick = tick(origin);
        try {
            replica.execute("BEGIN; SET LOCAL session_replication_role = replica; " + SETTINGS);
            List<String> differences = new ArrayList<>();
            for (Row table : origin.query(LEAVES, publication)) {
                transfer(origin, replica, table, differences);
            }
            if (!differences.isEmpty()) {
                throw Refused.notReady(
                        replica.node(),
                        "node " + replica.node() + " has other rows than the origin",
                        differences,
                        "Empty these tables on the replica: they are then filled from the origin.");
            }
            for (Row sequence : origin.query(SEQUENCES, publication)) {
                Row position = origin.query("SELECT last_value, is_called FROM " + sequence.text("name"))
                        .get(0);
                replica.query(
                        "SELECT pg_catalog.setval($1::text::regclass, $2::bigint, $3::boolean)",
                        sequence.text("name"),
                        position.number("last_value"),
                        position.flag("is_called"));
            }
            replica.update(
                    "INSERT INTO ddlrep.subscription (publication, tick, token, snapshot) VALUES ($1, $2, $3::uuid, $4::pg_snapshot)",
                    publication,
                    tick.number("id"),
                    tick.text("token"),
                    tick.text("snapshot"));
            origin.execute("COMMIT");
            replica.execute("COMMIT");
        } catch (NodeException e) {
            rollback(replica);
            rollback(origin);
            throw e;
        }
    }

    /** Opens a transaction whose snapshot becomes a tick; the tick is durable once it commits, which is before the replica does. */
    private static Row tick(NodeSession origin) {
        origin.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; " + SETTINGS);
        origin.query("SELECT pg_catalog.set_config('synchronous_commit', 'on', true)"
                + " WHERE pg_catalog.current_setting('synchronous_commit') IN ('off', 'local')");
        return origin.query("INSERT INTO ddlrep.tick (snapshot) VALUES (pg_catalog.pg_current_snapshot())"
                        + " RETURNING id, token, snapshot")
                .get(0);
    }

    private static void transfer(NodeSession origin, NodeSession replica, Row table, List<String> differences) {
        String name = table.text("name");
        boolean empty = replica.query("SELECT 1 FROM ONLY " + name + " LIMIT 1").isEmpty();
        String columns = "(" + table.text("columns") + ")";
        if (empty) {
            try (NodeSession.CopySource source = origin.copyOut(
                            "COPY (SELECT " + table.text("columns") + " FROM ONLY " + name + ") TO STDOUT");
                    NodeSession.CopySink sink = replica.copyIn("COPY " + name + columns + " FROM STDIN")) {
                for (byte[] chunk = source.next(); chunk != null; chunk = source.next()) {
                    sink.write(chunk);
                }
                sink.finish();
            }
            return;
        }
        String image = "SELECT pg_catalog.count(*) AS rows, coalesce(pg_catalog.sum(pg_catalog.hashtextextended("
                + "pg_catalog.concat_ws(',', " + table.text("image") + "), 0)), 0) AS digest FROM ONLY " + name;
        Row here = origin.query(image).get(0);
        Row there = replica.query(image).get(0);
        if (!here.text("rows").equals(there.text("rows"))) {
            differences.add(name + ": " + there.text("rows") + " rows, the origin has " + here.text("rows"));
        } else if (!here.text("digest").equals(there.text("digest"))) {
            differences.add(name + ": other rows, though as many");
        }
    }

    private static void rollback(NodeSession session) {
        try {
            session.execute("ROLLBACK");
        } catch (NodeException ignored) {
            // The session is gone, and its transaction with it.
        }
    }
}
