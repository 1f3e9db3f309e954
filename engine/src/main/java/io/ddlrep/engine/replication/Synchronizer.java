package io.ddlrep.engine.replication;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.NodeSession.CopySource;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.substrate.LostHistoryException;
import io.ddlrep.engine.substrate.OperationPendingException;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings one replica to a point of the origin, exactly once and in one transaction. Immutable and thread-safe; appliers of
 * one subscription take turns by the row lock on {@code ddlrep.subscription}.
 *
 * <p>Crash rule: rows and position are one transaction of the replica. A crash before its commit, or the loss of a commit
 * that was not flushed yet, leaves the older position, whose changes are still on the origin: they are applied again.
 */
final class Synchronizer {
    private static final String POSITION = SqlResource.text("sql/lock_position.sql");
    private static final String HISTORY = SqlResource.text("sql/check_history.sql");
    private static final String GENERATIONS = SqlResource.text("sql/written_generations.sql");
    private static final String APPLIED = SqlResource.text("sql/applied_operations.sql");
    private static final String APPLIER = SqlResource.text("sql/applier.sql");
    private static final String MOVE = SqlResource.text("sql/move_position.sql");

    private final String originName;

    Synchronizer(String originName) {
        this.originName = originName;
    }

    /** One shadow table with rows in it. */
    private record Generation(long tableId, int number, String shadow, String columns) {}

    /** Who applies rows of a table on the replica. */
    private record Applier(int generation, String owner, String xid) {}

    /**
     * Applies what the replica lacks.
     *
     * @return changes read
     */
    long synchronize(Lane lane, String publication, String replica, Point upTo) {
        NodeSession there = lane.replica();
        there.execute("BEGIN; SET LOCAL search_path = pg_catalog, pg_temp");
        try {
            Row position = position(there, publication, replica);
            PgSnapshot has = PgSnapshot.parse(position.text("snapshot"));
            long rows = 0;
            if (!has.covers(PgSnapshot.parse(upTo.snapshot()))) {
                Window window = window(lane, publication, replica, position, upTo);
                rows = apply(lane, publication, window);
                String check = rows > 0 ? NodeAccess.CHECK + "; " : "";
                there.update(check + MOVE, publication, upTo.id(), upTo.token(), upTo.snapshot());
            }
            there.execute("COMMIT");
            return rows;
        } catch (OperationPendingException e) {
            there.execute("ROLLBACK");
            throw e;
        }
    }

    private static Row position(NodeSession there, String publication, String replica) {
        List<Row> rows = there.query(POSITION, publication);
        if (rows.isEmpty()) {
            throw new NodeException(
                    replica,
                    ServerError.of("55000", "ddlrep: node " + replica + " has no subscription to " + publication)
                            .with("Its tables were never copied, or it was taken out.", "Run ddlrep init or add it."),
                    null);
        }
        return rows.get(0);
    }

    /** Checks that the origin still is where the replica came from, and that no operation stands between. */
    private Window window(Lane lane, String publication, String replica, Row position, Point upTo) {
        Row history = lane.origin()
                .query(
                        HISTORY,
                        position.number("tick"),
                        position.text("token"),
                        position.text("snapshot"),
                        upTo.snapshot(),
                        publication,
                        replica)
                .get(0);
        if (!history.flag("known")) {
            throw new LostHistoryException("replica " + replica + " stands at tick " + position.text("tick")
                    + " of publication " + publication + ", which origin " + originName
                    + " does not know, or that is behind what the replica had before: the origin lost history, or the"
                    + " replica did (crash, failover or restore)");
        }
        List<Window.Skip> skips = new ArrayList<>();
        String decided = history.text("decided");
        if (!decided.isEmpty()) {
            List<String> operations = Arrays.asList(decided.split(",", -1));
            Set<String> missing = new HashSet<>(operations);
            for (Row row : lane.replica().query(APPLIED, operations)) {
                missing.remove(row.text("op"));
                skips.add(new Window.Skip(row.number("xid"), row.number("last_carried_seq")));
            }
            if (!missing.isEmpty()) {
                throw new OperationPendingException(replica, missing.iterator().next());
            }
        }
        return new Window(PgSnapshot.parse(position.text("snapshot")), upTo, List.copyOf(skips));
    }

    private static long apply(Lane lane, String publication, Window window) {
        long rows = 0;
        Map<Long, Applier> appliers = new HashMap<>();
        for (Generation generation : generations(lane.origin(), publication)) {
            String sql = "COPY (SELECT * FROM ddlrep_shadow." + Quote.name(generation.shadow()) + " s WHERE "
                    + window.condition() + ") TO STDOUT (FORMAT binary)";
            long read;
            try (CopySource source = lane.origin().copyOut(sql)) {
                read = Pipe.copy(source, () -> {
                    Applier applier = appliers.computeIfAbsent(generation.tableId(), id -> applier(lane, id));
                    String stage = stage(lane, generation, applier);
                    return List.of(lane.replica().copyIn("COPY " + stage + " FROM STDIN (FORMAT binary)"));
                });
            } catch (NodeException e) {
                if (DroppedShadow.isMeant(e, lane.origin())
                        && !generations(lane.origin(), publication).contains(generation)) {
                    continue; // every replica had all of it: that is why it was dropped
                }
                throw e;
            }
            if (read > 0) {
                Applier applier = Objects.requireNonNull(appliers.get(generation.tableId()));
                lane.tickets()
                        .apply(new BatchTickets.Call(
                                applier.xid(), generation.tableId(), applier.owner(), stageName(generation)));
                rows += read;
            }
        }
        return rows;
    }

    /** Generations of the publication that were written at all, oldest first. */
    private static List<Generation> generations(NodeSession origin, String publication) {
        return origin.query(GENERATIONS, publication).stream()
                .map(row -> new Generation(
                        row.number("table_id"),
                        (int) row.number("generation"),
                        row.text("shadow"),
                        row.text("columns")))
                .toList();
    }

    /** Who applies, or null where the replica does not have the table. From here on no operation can change it. */
    private static @Nullable Applier applier(Lane lane, long tableId) {
        return lane.replica().query("SELECT ddlrep.hold_table($1); " + APPLIER, tableId).stream()
                .findFirst()
                .map(row -> new Applier((int) row.number("generation"), row.text("owner"), row.text("xid")))
                .orElse(null);
    }

    private static String stageName(Generation generation) {
        return "pg_temp.stage_" + generation.tableId() + "_" + generation.number();
    }

    /** The staging table of a generation; lives as long as the session and is empty after each commit. */
    private static String stage(Lane lane, Generation generation, @Nullable Applier applier) {
        if (applier == null || applier.generation() != generation.number()) {
            String state = applier == null ? "does not have the table" : "is at generation " + applier.generation();
            throw new NodeException(
                    lane.replica().node(),
                    ServerError.of(
                                    "55000",
                                    "ddlrep: changes of generation " + generation.number() + " of table "
                                            + generation.tableId() + " cannot be applied: node "
                                            + lane.replica().node() + " " + state)
                            .with(
                                    "The schema of this replica is not that of the origin at this point.",
                                    "Look at ddlrep status; a copy of the table mends it."),
                    null);
        }
        String name = stageName(generation);
        if (lane.remember(name)) {
            lane.replica()
                    .execute("CREATE TEMP TABLE " + name.substring("pg_temp.".length()) + " (" + generation.columns()
                            + ") ON COMMIT DELETE ROWS");
        }
        if (lane.remember(name + " " + applier.owner())) {
            lane.replica()
                    .execute("GRANT SELECT ON " + name + " TO "
                            + Objects.requireNonNull(applier).owner());
        }
        return name;
    }

    /** How far the replica is. */
    Standing standing(Lane lane, String publication) {
        List<Row> rows = lane.replica().query(NodeAccess.PIN + ";\n" + POSITION.replace("FOR UPDATE", ""), publication);
        return new Standing(
                rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0).text("snapshot")));
    }

    /** Whether any change is committed now that a replica at this position lacks. */
    boolean isBehind(NodeSession origin, String publication, String position) {
        return DroppedShadow.lookAgain(origin, () -> looksBehind(origin, publication, position));
    }

    private static boolean looksBehind(NodeSession origin, String publication, String position) {
        StringBuilder sql = new StringBuilder("SELECT ");
        String or = "";
        for (Generation generation : generations(origin, publication)) {
            sql.append(or)
                    .append("EXISTS (SELECT FROM ddlrep_shadow.")
                    .append(Quote.name(generation.shadow()))
                    .append(" s WHERE NOT pg_visible_in_snapshot(s.xid, $1::pg_snapshot))");
            or = " OR ";
        }
        return !or.isEmpty()
                && origin.query(sql + " AS behind", position).get(0).flag("behind");
    }
}
