package io.ddlrep.engine.operation;

import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Statements that keep a node up and change nothing that another one has: VACUUM, ANALYZE, CLUSTER without a table, REINDEX
 * SCHEMA. They stay where they are sent unless the session says {@code ddlrep.maintenance = 'all'}. Stateless.
 */
final class Maintenance {
    private Maintenance() {}

    static boolean isMeant(Statement.Ddl ddl) {
        return switch (ddl.tag()) {
            case "VACUUM", "ANALYZE" -> true;
            case "CLUSTER" -> ddl.objects().isEmpty();
            // A database may have another name on each node.
            case "REINDEX" -> ddl.objects().stream().anyMatch(o -> o.kind() == ObjectKind.SCHEMA);
            default -> false;
        };
    }

    /** The publications on whose nodes the statement runs; empty: it goes to the origin untouched. */
    static List<Group.Publication> concerned(
            Group group, OperationSettings settings, Resolution resolution, Collection<ReplicatedTable> touched) {
        if (settings.maintenance() == OperationSettings.Maintenance.LOCAL) {
            return List.of();
        }
        Set<Long> replicated = touched.stream().map(ReplicatedTable::relid).collect(Collectors.toSet());
        boolean all = resolution.named().stream()
                .filter(n -> n.ref().kind() == ObjectKind.TABLE)
                .allMatch(n ->
                        n.relation().map(r -> replicated.contains(r.relid())).orElse(false));
        return all
                ? group.publications().stream()
                        .filter(p -> p.origin().equals(group.self()))
                        .toList()
                : List.of();
    }
}
