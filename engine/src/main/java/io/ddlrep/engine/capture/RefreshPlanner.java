package io.ddlrep.engine.capture;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.substrate.CaptureForm;
import io.ddlrep.engine.substrate.Refresh;
import io.ddlrep.engine.substrate.RefreshRequest;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a DDL statement makes necessary, and writes it as two texts: one for the origin, one for all replicas.
 * Immutable and thread-safe.
 *
 * <p>Crash rule: the texts run inside the transactions of the operation, so there is nothing to recover.
 */
public final class RefreshPlanner {
    private final LongSupplier tableIds;

    /**
     * Makes a planner.
     *
     * @param tableIds the next number of {@code ddlrep.table_id}, for partitions that nobody registered
     */
    public RefreshPlanner(LongSupplier tableIds) {
        this.tableIds = tableIds;
    }

    /**
     * SQL that drops what of ours would stand in the way of DDL on these tables. Triggers with pending deferred events
     * cannot be dropped: they are left, and PostgreSQL's own error for the client's statement is the better one.
     */
    public static String unhook(Collection<ReplicatedTable> tables) {
        StringBuilder sql = new StringBuilder();
        // Two of them: one is attached to the other, which may be a partition itself, or is about to go.
        boolean partitionedOnes = tables.stream()
                        .filter(t -> t.shape().contains(TableShape.PARTS))
                        .count()
                > 1;
        for (ReplicatedTable table : tables) {
            if (table.capture() == CaptureForm.NONE) {
                continue;
            }
            List<String> names = new ArrayList<>(List.of(CaptureSql.KEY_TRIGGER));
            if (table.capture() == CaptureForm.ROW
                    && (partitionedOnes || !table.shape().contains(TableShape.PARTS))) {
                // Row triggers of the same names come from the parent when the table becomes a partition.
                names.addAll(List.of("!ddlrep_2i", "!ddlrep_2u", "!ddlrep_2d"));
            }
            StringBuilder drops = new StringBuilder("BEGIN ");
            for (String name : names) {
                drops.append("IF EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = ")
                        .append(Quote.literal(table.quoted()))
                        .append("::pg_catalog.regclass AND t.tgname = ")
                        .append(Quote.literal(name))
                        .append(") THEN DROP TRIGGER ")
                        .append(Quote.name(name))
                        .append(" ON ")
                        .append(table.quoted())
                        .append("; END IF; ");
            }
            drops.append("EXCEPTION WHEN object_in_use THEN NULL; END");
            sql.append("DO ").append(Quote.dollars(drops.toString())).append(";\n");
        }
        return sql.toString();
    }

    /**
     * Plans a refresh.
     *
     * @param origin the client's session, after the statement
     * @throws DdlrepException 0A000 when a table cannot be replicated as it is now
     */
    public Refresh plan(NodeSession origin, RefreshRequest request) {
        return new Plan(origin, request).make();
    }

    /** One planning; used by one thread. */
    private final class Plan {
        private final NodeSession origin;
        private final RefreshRequest request;
        private final Map<Long, ReplicatedTable> before = new LinkedHashMap<>();
        private final Map<Long, Long> ids = new LinkedHashMap<>();
        private final Map<Long, TableShape> shapes = new HashMap<>();
        private final Map<Long, Long> rootIds = new HashMap<>();
        private final StringBuilder originSql = new StringBuilder();

        /** Functions that go when no trigger calls them any more: those of partitions below change hands first. */
        private final StringBuilder goneSql = new StringBuilder();

        private final StringBuilder replicaSql = new StringBuilder();
        private final List<ReplicatedTable> tables = new ArrayList<>();

        Plan(NodeSession origin, RefreshRequest request) {
            this.origin = origin;
            this.request = request;
        }

        Refresh make() {
            for (ReplicatedTable table : request.before()) {
                before.put(table.relid(), table);
                ids.put(table.relid(), table.tableId());
            }
            for (int i = 0; i < request.joining().size(); i++) {
                ids.putIfAbsent(request.joining().get(i), request.joiningIds().get(i));
            }
            readShapes();
            List<ReplicatedTable> dropped = before.values().stream()
                    .filter(table -> !shapes.containsKey(table.relid()))
                    .toList();
            dropped.forEach(this::forget);
            List<TableShape> alive = ids.keySet().stream()
                    .filter(shapes::containsKey)
                    .map(shapes::get)
                    .toList();
            alive.forEach(Plan::refuse);
            // Partitions last: their trigger calls a function of the topmost table.
            alive.stream().filter(s -> s.form() != CaptureForm.NONE).forEach(this::refresh);
            alive.stream().filter(s -> s.form() == CaptureForm.NONE).forEach(this::refresh);
            return new Refresh(originSql.append(goneSql).toString(), replicaSql.toString(), List.copyOf(tables));
        }

        /** Reads the shapes of all tables concerned: also of partitions that came along, and of their roots. */
        private void readShapes() {
            shapes.putAll(ShapeReader.read(origin, ids.keySet()));
            Set<Long> related = new HashSet<>();
            for (TableShape shape : shapes.values()) {
                related.addAll(shape.facts().partitions());
                if (shape.facts().root() != 0) {
                    related.add(shape.facts().root());
                }
            }
            related.removeAll(ids.keySet());
            if (related.isEmpty()) {
                return;
            }
            Map<Long, TableShape> more = ShapeReader.read(origin, related);
            for (ReplicatedTable table : ReplicatedTables.byRelid(origin, related)) {
                related.remove(table.relid());
                if (more.containsKey(table.relid())
                        && table.capture() != CaptureForm.NONE
                        && !more.get(table.relid()).facts().partition()) {
                    rootIds.put(table.relid(), table.tableId());
                }
            }
            for (long relid : related) {
                TableShape shape = more.get(relid);
                if (shape != null && shape.facts().partition()) {
                    shapes.put(relid, shape);
                    ids.put(relid, tableIds.getAsLong());
                }
            }
        }

        private static void refuse(TableShape shape) {
            shape.refusal().ifPresent(reason -> {
                throw new DdlrepException(
                        ServerError.of("0A000", "ddlrep: table " + shape.quoted() + " cannot be replicated: " + reason)
                                .with(
                                        "The statement is undone on every node.",
                                        "Take the table out of the publication first, or leave it as it was."));
            });
        }

        private void forget(ReplicatedTable table) {
            String id = Long.toString(table.tableId());
            originSql
                    .append("DELETE FROM ddlrep.replicated_table WHERE table_id = ")
                    .append(id)
                    .append(";\nUPDATE ddlrep.shadow_generation SET closed_by = ")
                    .append(Quote.literal(request.op()))
                    .append(" WHERE closed_by IS NULL AND table_id = ")
                    .append(id)
                    .append(";\n");
            replicaSql
                    .append("DELETE FROM ddlrep.replicated_table WHERE table_id = ")
                    .append(id)
                    .append(";\n");
            if (table.capture() != CaptureForm.NONE) {
                originSql
                        .append(CaptureSql.dropFunctions(table.tableId()))
                        .append(CaptureSql.revokeReaders(table.tableId()));
                replicaSql.append(ApplySql.dropFunction(table.tableId()));
            }
        }

        private void refresh(TableShape shape) {
            @Nullable ReplicatedTable old = before.get(shape.relid());
            long id = Objects.requireNonNull(ids.get(shape.relid()));
            CaptureForm form = shape.form();
            long rootId = form == CaptureForm.NONE ? rootId(shape) : 0;
            String text = shape.rowShape() + "\n"
                    + String.join(
                            "|",
                            shape.owner(),
                            form.sql(),
                            "" + rootId,
                            shape.mayBeStale() ? "stale" : "",
                            shape.keyComparison());
            boolean sameRow = old != null
                    && form != CaptureForm.NONE
                    && old.capture() != CaptureForm.NONE
                    && rowShapeOf(old.shape()).equals(shape.rowShape());
            int generation = old == null ? 0 : old.generation();
            if (form != CaptureForm.NONE && !sameRow) {
                generation++;
            }
            ReplicatedTable now = new ReplicatedTable(
                    id,
                    old == null ? request.publication() : old.publication(),
                    shape.relid(),
                    shape.schema(),
                    shape.name(),
                    generation,
                    shape.wholeRow()
                            ? List.of()
                            : shape.key().stream().map(Column::name).toList(),
                    form,
                    text);
            tables.add(now);
            boolean changed = !now.equals(old);
            hook(shape, now, old, changed);
            if (changed) {
                String row = ReplicatedTables.upsert(now);
                originSql.append(row);
                apply(shape, now, old);
                replicaSql.append(row);
            }
        }

        /** The origin's part: shadow, functions, triggers. */
        private void hook(TableShape shape, ReplicatedTable now, @Nullable ReplicatedTable old, boolean changed) {
            CaptureSql capture =
                    new CaptureSql(shape, now.tableId(), now.generation(), known(shape, old), keyKept(shape, now, old));
            Map<String, String> wanted =
                    now.capture() == CaptureForm.NONE ? leafTriggers(shape, now.tableId()) : capture.triggers();
            for (String name : shape.facts().ownTriggers()) {
                if (!wanted.containsKey(name)) {
                    originSql
                            .append("DROP TRIGGER ")
                            .append(Quote.name(name))
                            .append(" ON ")
                            .append(shape.quoted())
                            .append(";\n");
                }
            }
            boolean newGeneration =
                    old == null ? now.capture() != CaptureForm.NONE : old.generation() != now.generation();
            boolean wasOwn = old != null && old.capture() != CaptureForm.NONE;
            if (wasOwn && (newGeneration || now.capture() == CaptureForm.NONE)) {
                originSql
                        .append("UPDATE ddlrep.shadow_generation SET closed_by = ")
                        .append(Quote.literal(request.op()))
                        .append(" WHERE closed_by IS NULL AND table_id = ")
                        .append(now.tableId())
                        .append(";\n");
            }
            if (newGeneration) {
                originSql.append(capture.createShadow()).append(generationRow(shape, now));
            }
            if (changed && now.capture() != CaptureForm.NONE) {
                if (old != null && !ownerOf(old.shape()).equals(shape.owner())) {
                    originSql.append(capture.changeReader());
                }
                originSql.append(capture.functions());
            }
            boolean newKey = old == null || !old.keyColumns().equals(now.keyColumns());
            wanted.forEach((name, create) -> {
                boolean there = shape.facts().ownTriggers().contains(name);
                // The TRUNCATE trigger of a partition calls the topmost table's function, else the table's own.
                boolean moved = changed
                        && (now.capture() == CaptureForm.NONE || (old != null && old.capture() == CaptureForm.NONE));
                if (!there || moved || (name.equals(CaptureSql.KEY_TRIGGER) && newKey)) {
                    originSql.append(create);
                }
            });
            switchOn(shape, old, wanted.keySet());
            if (wasOwn && now.capture() == CaptureForm.NONE) {
                goneSql.append(CaptureSql.dropFunctions(now.tableId()));
            }
        }

        /** Capture functions that stand there, made for the present owner: a trigger that calls one is the proof. */
        private static Set<String> known(TableShape shape, @Nullable ReplicatedTable old) {
            if (!functionsKept(shape, old)) {
                return Set.of();
            }
            return shape.facts().ownTriggers().stream()
                    .map(name -> name.endsWith("w") ? "u" : name.substring(name.length() - 1))
                    .collect(Collectors.toSet());
        }

        /** Whether the function that reads rows by their keys stands there, with the arguments that it needs now. */
        private static boolean keyKept(TableShape shape, ReplicatedTable now, @Nullable ReplicatedTable old) {
            return old != null
                    && functionsKept(shape, old)
                    && old.keyColumns().equals(now.keyColumns())
                    && shape.key().stream().allMatch(c -> old.shape().contains("\n" + c.canonical() + "\n"));
        }

        /** ALTER TABLE … DISABLE TRIGGER USER or ALL switches ours off as well, on all nodes. */
        private void switchOn(TableShape shape, @Nullable ReplicatedTable old, Set<String> wanted) {
            String enable = "ALTER TABLE ONLY " + shape.quoted() + " ENABLE TRIGGER ";
            for (String name : shape.facts().switchedOff()) {
                if (shape.facts().ownTriggers().contains(name) && !wanted.contains(name)) {
                    continue; // just dropped
                }
                originSql.append(enable).append(Quote.name(name)).append(";\n");
            }
            if (old != null && !shape.facts().switchedOff().isEmpty()) {
                replicaSql.append(ApplySql.enable(shape));
            }
        }

        private Map<String, String> leafTriggers(TableShape leaf, long leafId) {
            if (leaf.partitioned()) {
                return Map.of();
            }
            return Map.of(CaptureSql.TRUNCATE_TRIGGER, CaptureSql.leafTruncateTrigger(leaf, leafId, rootId(leaf)));
        }

        private long rootId(TableShape leaf) {
            Long id = ids.get(leaf.facts().root());
            if (id == null) {
                id = rootIds.get(leaf.facts().root());
            }
            if (id == null) {
                throw new DdlrepException(ServerError.of(
                                "0A000",
                                "ddlrep: partition " + leaf.quoted()
                                        + " is replicated, but its partitioned table is not")
                        .with(null, "Add the partitioned table to the publication."));
            }
            return id;
        }

        /** The replicas' part: apply function and deny triggers. */
        private void apply(TableShape shape, ReplicatedTable now, @Nullable ReplicatedTable old) {
            ApplySql apply = new ApplySql(shape, now.tableId(), now.generation());
            if (now.capture() != CaptureForm.NONE) {
                replicaSql.append(apply.function(functionsKept(shape, old)));
            } else if (old != null && old.capture() != CaptureForm.NONE) {
                replicaSql.append(ApplySql.dropFunction(now.tableId()));
            }
            if (old == null) {
                replicaSql.append(apply.deny());
            }
        }

        private String generationRow(TableShape shape, ReplicatedTable now) {
            return "INSERT INTO ddlrep.shadow_generation (table_id, publication, generation, shadow, columns, column_names,"
                    + " key_columns, opened_by) VALUES (" + now.tableId() + ", "
                    + Quote.literal(now.publication()) + ", " + now.generation() + ", "
                    + Quote.literal(CaptureSql.shadowName(now.tableId(), now.generation())) + ", "
                    + Quote.literal(CaptureSql.columnList(shape)) + ", "
                    + Quote.array(shape.captured().stream().map(Column::name).toList()) + ", "
                    + Quote.array(now.keyColumns()) + ", " + Quote.literal(request.op()) + ");\n";
        }
    }

    /** Whether a table has functions of its own, made for the owner that it has now. */
    private static boolean functionsKept(TableShape shape, @Nullable ReplicatedTable old) {
        return old != null
                && old.capture() != CaptureForm.NONE
                && ownerOf(old.shape()).equals(shape.owner());
    }

    /** The owner that a stored shape names: all of its last part but four fields. */
    private static String ownerOf(String shape) {
        String rest = shape.substring(shape.lastIndexOf("\n\n") + 2);
        for (int fields = 0; fields < 4; fields++) {
            rest = rest.substring(0, Math.max(0, rest.lastIndexOf('|')));
        }
        return rest;
    }

    private static String rowShapeOf(String shape) {
        int end = shape.lastIndexOf("\n\n");
        return end < 0 ? shape : shape.substring(0, end + 1);
    }
}
