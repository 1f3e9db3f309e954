package io.ddlrep.engine.replication;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.capture.CaptureSql;
import io.ddlrep.engine.capture.Column;
import io.ddlrep.engine.capture.ReplicatedTables;
import io.ddlrep.engine.capture.ShapeReader;
import io.ddlrep.engine.capture.TableShape;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.NodeSession.CopySource;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.substrate.CaptureForm;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The first copy of a publication's tables to a replica, while writers go on. Capture triggers, deny triggers, apply
 * functions and control rows must be there already, on both nodes. Empty tables are filled; tables with rows must hold the
 * very rows of the origin. Immutable; one call at a time for a replica.
 *
 * <p>The copy is the state of one snapshot, and the subscription begins at that very snapshot: what was committed before is
 * in the copy, what came later was captured, nothing is in both.
 *
 * <p>Crash rule: rows and position are one transaction of the replica. Before its commit the replica has a subscription
 * with a tick that never was and stands as {@code paused}, so nothing is applied to it; running the copy again starts anew.
 */
public final class InitialCopy {
    private static final String FOOTPRINT = SqlResource.text("sql/footprint.sql");

    /** Blocks of a table that are copied at once: 64 MB. */
    private static final long BLOCKS = 8192;

    private final NodeAccess access;
    private final String origin;

    /**
     * Makes the copier.
     *
     * @param access opens its sessions
     * @param origin the origin's name
     */
    public InitialCopy(NodeAccess access, String origin) {
        this.access = access;
        this.origin = origin;
    }

    /**
     * What was done. Immutable.
     *
     * @param copied rows copied, by table
     * @param verified rows found equal, by table
     */
    public record Result(Map<String, Long> copied, Map<String, Long> verified) {}

    /** The sessions of one copy. */
    private record Sessions(
            NodeSession snapshot, NodeSession control, NodeSession service, NodeSession apply, BatchTickets tickets) {}

    /**
     * Copies or verifies all tables, and lets the subscription begin.
     *
     * @throws DdlrepException 55000 when a table of the replica holds other rows than the origin; nothing is changed then
     * @throws io.ddlrep.engine.node.NodeException when a node fails; nothing is changed then
     */
    public Result run(String publication, String replica) {
        try (NodeSession snapshot = access.service(origin);
                NodeSession control = access.service(origin);
                NodeSession service = access.service(replica);
                NodeSession apply = access.apply(replica)) {
            Sessions sessions = new Sessions(snapshot, control, service, apply, new BatchTickets(service, apply));
            control.update(
                    "INSERT INTO ddlrep.publication_node AS n (publication, node, state, reason)"
                            + " VALUES ($1, $2, 'paused', 'initial copy') ON CONFLICT (publication, node) DO UPDATE SET"
                            + " state = 'paused', reason = 'initial copy', tick = NULL, snapshot = NULL,"
                            + " since = clock_timestamp()",
                    publication,
                    replica);
            service.update(
                    "INSERT INTO ddlrep.subscription (publication, tick, token, snapshot)"
                            + " VALUES ($1, 0, gen_random_uuid(), '1:1:') ON CONFLICT (publication) DO UPDATE SET"
                            + " tick = excluded.tick, token = excluded.token, snapshot = excluded.snapshot",
                    publication);
            return copy(sessions, publication, replica);
        }
    }

    private static Result copy(Sessions sessions, String publication, String replica) {
        sessions.snapshot().execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        String seen = sessions.snapshot()
                .query("SELECT pg_current_snapshot() AS snapshot")
                .get(0)
                .text("snapshot");
        Row tick = sessions.control()
                .query("INSERT INTO ddlrep.tick (snapshot) VALUES ($1::pg_snapshot) RETURNING id, token", seen)
                .get(0);
        Map<String, Long> copied = new java.util.TreeMap<>();
        Map<String, Long> verified = new java.util.TreeMap<>();
        sessions.apply().execute("BEGIN; SET LOCAL search_path = pg_catalog, pg_temp");
        sessions.apply()
                .query("SELECT s.tick FROM ddlrep.subscription s WHERE s.publication = $1 FOR UPDATE", publication);
        List<ReplicatedTable> tables = ReplicatedTables.all(sessions.snapshot()).stream()
                .filter(t -> t.publication().equals(publication) && t.capture() != CaptureForm.NONE)
                .toList();
        Map<Long, TableShape> shapes = ShapeReader.read(
                sessions.snapshot(), tables.stream().map(ReplicatedTable::relid).toList());
        for (ReplicatedTable table : tables) {
            TableShape shape = Objects.requireNonNull(shapes.get(table.relid()), table.quoted());
            if (isEmpty(sessions.service(), shape)) {
                copied.put(table.quoted(), copyTable(sessions, table, shape));
            } else {
                verified.put(table.quoted(), verify(sessions, shape, replica));
            }
        }
        sessions.apply()
                .update(
                        NodeAccess.CHECK + "; " + SqlResource.text("sql/move_position.sql"),
                        publication,
                        tick.number("id"),
                        tick.text("token"),
                        seen);
        sessions.apply().execute("COMMIT");
        sessions.snapshot().execute("COMMIT");
        sessions.control()
                .update(
                        "UPDATE ddlrep.publication_node SET state = 'active', reason = NULL, tick = $3,"
                                + " snapshot = $4::pg_snapshot, since = clock_timestamp() WHERE publication = $1 AND node = $2",
                        publication,
                        replica,
                        tick.number("id"),
                        seen);
        return new Result(Map.copyOf(copied), Map.copyOf(verified));
    }

    private static boolean isEmpty(NodeSession session, TableShape shape) {
        return !session.query("SELECT EXISTS (SELECT FROM " + shape.only() + ") AS filled")
                .get(0)
                .flag("filled");
    }

    private static long copyTable(Sessions sessions, ReplicatedTable table, TableShape shape) {
        String stage = "pg_temp.copy_" + table.tableId();
        Row applier = sessions.apply()
                .query(
                        "SELECT quote_ident(o.rolname) AS owner, pg_current_xact_id()::text AS xid"
                                + " FROM ddlrep.replicated_table r JOIN pg_class c ON c.oid = r.relid"
                                + " JOIN pg_roles o ON o.oid = c.relowner WHERE r.table_id = $1",
                        table.tableId())
                .get(0);
        BatchTickets.Call call =
                new BatchTickets.Call(applier.text("xid"), table.tableId(), applier.text("owner"), stage);
        sessions.apply()
                .execute("CREATE TEMP TABLE copy_" + table.tableId() + " (" + CaptureSql.columnList(shape)
                        + ") ON COMMIT DROP; GRANT SELECT ON " + stage + " TO " + call.owner());
        long rows = 0;
        for (String source : sources(sessions.snapshot(), shape)) {
            rows += copyFrom(sessions, shape, source, call);
        }
        return rows;
    }

    /** The tables that really hold the rows: partitions of a partitioned table, else the table itself. */
    private static List<String> sources(NodeSession session, TableShape shape) {
        if (!shape.partitioned()) {
            return List.of(shape.quoted());
        }
        return ShapeReader.read(session, shape.facts().partitions()).values().stream()
                .filter(leaf -> !leaf.partitioned())
                .map(TableShape::quoted)
                .toList();
    }

    private static long copyFrom(Sessions sessions, TableShape shape, String source, BatchTickets.Call call) {
        long blocks = sessions.snapshot()
                .query("SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS blocks", source)
                .get(0)
                .number("blocks");
        String columns = CaptureSql.values(shape, shape.captured(), c -> c.captured("r"));
        long rows = 0;
        // One chunk more than there are blocks now costs nothing, and rows that came later are not seen anyway.
        for (long from = 0; from <= blocks; from += BLOCKS) {
            String select = "COPY (SELECT 0::bigint, '0'::xid8, 'I'::\"char\""
                    + (shape.partitioned() ? ", NULL::bigint" : "")
                    + columns + " FROM ONLY " + source + " r WHERE r.ctid >= '(" + from + ",0)'::tid AND r.ctid < '("
                    + (from + BLOCKS) + ",0)'::tid) TO STDOUT (FORMAT binary)";
            long chunk;
            try (CopySource copy = sessions.snapshot().copyOut(select)) {
                chunk = Pipe.copy(
                        copy,
                        () -> List.of(sessions.apply().copyIn("COPY " + call.stage() + " FROM STDIN (FORMAT binary)")));
            }
            if (chunk > 0) {
                sessions.tickets().apply(call);
                sessions.apply().execute("TRUNCATE " + call.stage());
                rows += chunk;
            }
        }
        return rows;
    }

    private static long verify(Sessions sessions, TableShape shape, String replica) {
        Row here = footprint(sessions.snapshot(), shape);
        Row there = footprint(sessions.service(), shape);
        if (here.text("rows").equals(there.text("rows")) && here.text("sum").equals(there.text("sum"))) {
            return here.number("rows");
        }
        throw new DdlrepException(ServerError.of(
                        "55000",
                        "ddlrep: table " + shape.quoted() + " on node " + replica + " holds other rows than the origin")
                .with(
                        "The origin has " + here.text("rows") + " rows with checksum " + here.text("sum")
                                + ", the replica " + there.text("rows") + " with " + there.text("sum") + "."
                                + sample(sessions, shape) + " Nothing was changed.",
                        "Empty the table on the replica, so that it is filled, or make its rows equal."));
    }

    /** Number of rows and a checksum that does not depend on their order; columns {@code rows} and {@code sum}. */
    static Row footprint(NodeSession session, TableShape shape) {
        return session.query(FOOTPRINT.replace("{{image}}", image(shape)).replace("{{table}}", shape.only()))
                .get(0);
    }

    private static String image(TableShape shape) {
        return "ROW(" + shape.written().stream().map(c -> "r." + c.quoted()).collect(Collectors.joining(", "))
                + ")::text";
    }

    /** Up to five keys whose rows differ, for people. */
    private static String sample(Sessions sessions, TableShape shape) {
        if (shape.key().isEmpty()) {
            return "";
        }
        String key = "ROW("
                + shape.key().stream().map(Column::quoted).map(c -> "r." + c).collect(Collectors.joining(", "))
                + ")::text";
        String sql = "SELECT " + key + " AS key, md5(" + image(shape) + ") AS image FROM " + shape.only()
                + " r ORDER BY 1 LIMIT 100000";
        Map<String, String> here = images(sessions.snapshot(), sql);
        Map<String, String> there = images(sessions.service(), sql);
        List<String> different = new ArrayList<>();
        here.forEach((k, image) -> {
            if (different.size() < 5 && !image.equals(there.get(k))) {
                different.add(k);
            }
        });
        there.keySet().stream()
                .filter(k -> different.size() < 5 && !here.containsKey(k))
                .forEach(different::add);
        return different.isEmpty() ? "" : " Among the keys that differ: " + String.join(", ", different) + ".";
    }

    private static Map<String, String> images(NodeSession session, String sql) {
        return session.query(sql).stream()
                .collect(Collectors.toMap(row -> row.text("key"), row -> row.text("image"), (a, b) -> a));
    }
}
