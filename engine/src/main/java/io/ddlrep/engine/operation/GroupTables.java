package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.CaptureForm;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The replicated tables as an operation sees them: what the service reads, overlaid with what the operation itself has
 * changed and not yet committed. Owned by the operation's thread.
 */
final class GroupTables {
    /** Replicated tables by relid; $1 is {@link #texts}. */
    static final String TABLES = SqlResource.text("sql/replicated_tables.sql");

    private static final String LOCKED = SqlResource.text("sql/strongly_locked.sql");
    private static final String GONE = SqlResource.text("sql/gone_tables.sql");
    private static final String ROOTS = SqlResource.text("sql/partition_roots.sql");
    private static final String NEIGHBOURS = SqlResource.text("sql/foreign_key_neighbours.sql");

    private final Map<Long, ReplicatedTable> own = new LinkedHashMap<>();
    private final Set<Long> gone = new HashSet<>();

    /** Replicated tables among these relids, with the partitions below them. */
    List<ReplicatedTable> find(NodeSession service, Collection<Long> relids) {
        if (relids.isEmpty()) {
            return List.of();
        }
        return find(relids, service.query(TABLES, texts(relids)));
    }

    /** The same, where the service was asked already. */
    List<ReplicatedTable> find(Collection<Long> relids, List<Row> answer) {
        Map<Long, ReplicatedTable> found = new LinkedHashMap<>();
        for (Row row : answer) {
            ReplicatedTable table = ReplicatedTable.of(row);
            if (!gone.contains(table.tableId())) {
                found.put(table.tableId(), own.getOrDefault(table.tableId(), table));
            }
        }
        own.values().stream().filter(t -> relids.contains(t.relid())).forEach(t -> found.putIfAbsent(t.tableId(), t));
        return List.copyOf(found.values());
    }

    /** Replicated tables that a backend of the origin has locked by its DDL, whether or not a statement named them. */
    List<ReplicatedTable> lockedBy(NodeSession service, long pid) {
        return find(service, relids(service.query(LOCKED, pid)));
    }

    /** Tables of a publication that were dropped around ddlrep, and whose names, as schema.table, others have now. */
    List<ReplicatedTable> gone(NodeSession service, String publication, Collection<String> names) {
        return find(service, relids(service.query(GONE, publication, List.copyOf(names))));
    }

    /** Replicated tables at the other end of foreign keys of these. */
    List<ReplicatedTable> neighbours(NodeSession service, Collection<ReplicatedTable> tables) {
        return reached(service, NEIGHBOURS, tables);
    }

    /** All tables of the partition trees that some of these are partitions in. */
    List<ReplicatedTable> trees(NodeSession service, Collection<ReplicatedTable> tables) {
        return reached(
                service,
                ROOTS,
                tables.stream().filter(t -> t.capture() == CaptureForm.NONE).toList());
    }

    private List<ReplicatedTable> reached(NodeSession service, String sql, Collection<ReplicatedTable> tables) {
        if (tables.isEmpty()) {
            return List.of();
        }
        List<String> relids = texts(tables.stream().map(ReplicatedTable::relid).toList());
        return find(service, relids(service.query(sql, relids)));
    }

    private static List<Long> relids(List<Row> rows) {
        return rows.stream().map(row -> row.number("relid")).toList();
    }

    /** Follows a statement of the operation: these tables were touched, and this is what they are now. */
    void follow(Collection<ReplicatedTable> before, Collection<ReplicatedTable> after) {
        for (ReplicatedTable table : before) {
            if (after.stream().noneMatch(t -> t.tableId() == table.tableId())) {
                gone.add(table.tableId());
                own.remove(table.tableId());
            }
        }
        after.forEach(t -> own.put(t.tableId(), t));
    }

    /** A copy, kept with a savepoint. */
    GroupTables copy() {
        GroupTables copy = new GroupTables();
        copy.own.putAll(own);
        copy.gone.addAll(gone);
        return copy;
    }

    /** Oids as they are bound. */
    static List<String> texts(Collection<Long> relids) {
        List<String> texts = new ArrayList<>();
        relids.forEach(r -> texts.add(Long.toString(r)));
        return texts;
    }
}
