package io.ddlrep.engine.replication;

import io.ddlrep.engine.capture.ReplicatedTables;
import io.ddlrep.engine.capture.ShapeReader;
import io.ddlrep.engine.capture.TableShape;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.CaptureForm;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the rows of whole tables between the origin and a replica at one point of the stream, while writers run: the
 * origin's snapshot is recorded as a point, the replica is brought exactly there, and both are read as they are then. Used
 * by one thread.
 *
 * <p>Crash rule: only reads, and a synchronize like any other.
 */
public final class RowVerifier {
    private static final int ATTEMPTS = 50;

    private final NodeAccess access;
    private final String origin;
    private final TriggerSubstrate substrate;

    /**
     * Makes a verifier.
     *
     * @param access opens its sessions
     * @param origin the origin's name
     * @param substrate brings replicas to a point; stays the caller's
     */
    public RowVerifier(NodeAccess access, String origin, TriggerSubstrate substrate) {
        this.access = access;
        this.origin = origin;
        this.substrate = substrate;
    }

    /**
     * Compares the tables of a publication.
     *
     * @return one line for each table whose rows differ; empty when all are equal
     * @throws io.ddlrep.engine.node.NodeException when a node fails
     * @throws IllegalStateException when the replica moved on each time before it could be read
     */
    public List<String> differences(String publication, String replica) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<List<String>> compared = compareOnce(publication, replica);
            if (compared.isPresent()) {
                return compared.get();
            }
        }
        throw new IllegalStateException("replica " + replica
                + " went on each time before its rows could be read; try again when less is written");
    }

    private Optional<List<String>> compareOnce(String publication, String replica) {
        try (NodeSession here = access.service(origin);
                NodeSession there = access.service(replica);
                NodeSession control = access.service(origin)) {
            here.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            String seen = here.query("SELECT pg_catalog.pg_current_snapshot() AS snapshot")
                    .get(0)
                    .text("snapshot");
            Row tick = control.query(
                            "INSERT INTO ddlrep.tick (snapshot) VALUES ($1::pg_snapshot) RETURNING id, token", seen)
                    .get(0);
            substrate.synchronize(publication, replica, new Point(tick.number("id"), tick.text("token"), seen));
            there.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            String position = there.query(
                            "SELECT s.snapshot FROM ddlrep.subscription s WHERE s.publication = $1", publication)
                    .get(0)
                    .text("snapshot");
            return position.equals(seen) ? Optional.of(compare(here, there, publication, replica)) : Optional.empty();
        }
    }

    private static Row footprint(NodeSession session, TableShape shape) {
        try {
            return InitialCopy.footprint(session, shape);
        } catch (NodeException e) {
            if (!e.sqlState().equals("42501")) {
                throw e;
            }
            throw new NodeException(
                    session.node(),
                    e.error()
                            .with(
                                    "Comparing rows reads whole tables. Nothing was changed.",
                                    "Compare as a superuser, or GRANT pg_read_all_data TO ddlrep_service on every node."),
                    e);
        }
    }

    private static List<String> compare(NodeSession here, NodeSession there, String publication, String replica) {
        List<ReplicatedTable> tables = ReplicatedTables.all(here).stream()
                .filter(t -> t.publication().equals(publication) && t.capture() != CaptureForm.NONE)
                .toList();
        Map<Long, TableShape> shapes = ShapeReader.read(
                here, tables.stream().map(ReplicatedTable::relid).toList());
        List<String> lines = new ArrayList<>();
        for (ReplicatedTable table : tables) {
            TableShape shape = shapes.get(table.relid());
            if (shape == null) {
                continue; // dropped since the snapshot was taken
            }
            Row own = footprint(here, shape);
            Row other = footprint(there, shape);
            if (!own.text("rows").equals(other.text("rows")) || !own.text("sum").equals(other.text("sum"))) {
                lines.add(replica + ": table " + table.quoted() + " has " + other.text("rows") + " rows with checksum "
                        + other.text("sum") + ", the origin " + own.text("rows") + " with " + own.text("sum"));
            }
        }
        return lines;
    }
}
