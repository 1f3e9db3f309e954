package io.ddlrep.engine.operation;

import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans the locks of a statement: every replicated table that it locks above ACCESS SHARE. Stateless and pure.
 */
final class LockPlanner {
    /** Change neither rows nor capture, and take weak locks of their own. */
    private static final Set<String> WEAK = Set.of(
            "COMMENT",
            "GRANT",
            "REVOKE",
            "CREATE VIEW",
            "CREATE STATISTICS",
            "ALTER STATISTICS",
            "SECURITY LABEL",
            "CREATE FUNCTION",
            "CREATE PROCEDURE",
            "CREATE MATERIALIZED VIEW",
            "CREATE SEQUENCE",
            "ALTER SEQUENCE",
            "ANALYZE");

    private LockPlanner() {}

    /**
     * Adds a statement's locks.
     *
     * @param ddl the statement
     * @param resolution its names
     * @param touched replicated tables that it names, with their partitions
     * @param neighbours replicated tables at the other end of foreign keys of those, where it reaches them
     * @param trees the partition trees of those: rows are applied by the topmost table, and need every partition
     * @param plan collects
     */
    static void plan(
            Statement.Ddl ddl,
            Resolution resolution,
            Collection<ReplicatedTable> touched,
            Collection<ReplicatedTable> neighbours,
            Collection<ReplicatedTable> trees,
            LockPlan.Builder plan) {
        if (WEAK.contains(ddl.tag())) {
            return;
        }
        boolean locks = false;
        for (ReplicatedTable table : touched) {
            LockPlan.Mode mode = modeFor(ddl, resolution, table);
            if (mode != null) {
                plan.add(table.quoted(), mode);
                locks = true;
            }
        }
        if (locks && !lets(ddl, DdlFact.LETS_WRITE)) {
            // A partition that is dropped takes the strongest lock on its parent.
            boolean drops = ddl.objects().stream().anyMatch(o -> o.role() == ObjectRole.DROPPED);
            LockPlan.Mode mode = drops ? LockPlan.Mode.ACCESS_EXCLUSIVE : LockPlan.Mode.SHARE_ROW_EXCLUSIVE;
            trees.forEach(t -> plan.add(t.quoted(), mode));
        }
        neighbours.forEach(n -> plan.add(n.quoted(), LockPlan.Mode.ACCESS_EXCLUSIVE));
    }

    /** Whether the statement may lock tables at the other end of foreign keys, whose triggers it makes or drops there. */
    static boolean reachesNeighbours(Statement.Ddl ddl) {
        return !ddl.complete()
                || ddl.facts().contains(DdlFact.CASCADE)
                || ddl.facts().contains(DdlFact.COLUMN_TYPE)
                || ddl.facts().contains(DdlFact.PARTITION_CHANGE)
                || (!lets(ddl, DdlFact.LETS_WRITE)
                        && !lets(ddl, DdlFact.LETS_READ)
                        && ddl.objects().stream()
                                .anyMatch(o -> o.role() == ObjectRole.DROPPED || o.kind() == ObjectKind.CONSTRAINT));
    }

    private static boolean lets(Statement.Ddl ddl, DdlFact others) {
        return ddl.complete() && ddl.facts().contains(others);
    }

    /**
     * The tables whose shape or capture a statement may change, with their partitions; those that it only refers to are not
     * among them.
     */
    static List<ReplicatedTable> changed(
            Statement.Ddl ddl, Resolution resolution, Collection<ReplicatedTable> touched) {
        if (WEAK.contains(ddl.tag())) {
            return List.of();
        }
        return touched.stream().filter(t -> !onlyReferenced(resolution, t)).toList();
    }

    private static boolean onlyReferenced(Resolution resolution, ReplicatedTable table) {
        List<Resolution.Named> named = resolution.named().stream()
                .filter(n -> n.relation().isPresent() && n.relation().get().tableRelid() == table.relid())
                .toList();
        return !named.isEmpty() && named.stream().allMatch(n -> n.ref().role() == ObjectRole.REFERENCED);
    }

    /** Locks the index alone, by a lock that lets others use it. */
    private static boolean renamesIndex(Statement.Ddl ddl) {
        return ddl.tag().equals("ALTER INDEX")
                && ddl.objects().stream().anyMatch(o -> o.kind() == ObjectKind.INDEX && o.role() == ObjectRole.RENAMED);
    }

    private static LockPlan.@Nullable Mode modeFor(Statement.Ddl ddl, Resolution resolution, ReplicatedTable table) {
        if (onlyReferenced(resolution, table)) {
            // A foreign key's parent; a query's source is locked in ACCESS SHARE only, and a stronger lock does no
            // harm.
            return ddl.facts().contains(DdlFact.ROWS_FROM_QUERY) ? null : LockPlan.Mode.SHARE_ROW_EXCLUSIVE;
        }
        boolean makesIndex =
                ddl.tag().equals("CREATE INDEX") && !table.keyColumns().isEmpty();
        if (makesIndex || OutsideOperation.rebuilds(ddl)) {
            return LockPlan.Mode.SHARE;
        }
        if (lets(ddl, DdlFact.LETS_WRITE) || renamesIndex(ddl)) {
            return LockPlan.Mode.SHARE_UPDATE_EXCLUSIVE;
        }
        return lets(ddl, DdlFact.LETS_READ) ? LockPlan.Mode.SHARE_ROW_EXCLUSIVE : LockPlan.Mode.ACCESS_EXCLUSIVE;
    }
}
