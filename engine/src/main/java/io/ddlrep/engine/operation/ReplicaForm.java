package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.DdlRewriter;
import io.ddlrep.parser.Expression;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.regex.Pattern;

/**
 * In which form a statement runs on the replicas: as it was sent, or with what only the origin can know, so that the origin
 * goes first. Stateless.
 */
final class ReplicaForm {
    private static final String DEFINITION = SqlResource.text("sql/table_definition.sql");
    private static final String BOUND = "SELECT pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS bound"
            + " FROM pg_catalog.pg_class c WHERE c.oid OPERATOR(pg_catalog.=) $1::pg_catalog.oid";
    private static final String VIEW = SqlResource.text("sql/view_definition.sql");

    /** A string that the server reads as the present time when it makes a view, and keeps as a constant. */
    private static final Pattern FROZEN_TIME =
            Pattern.compile("'[^']*\\b(?:now|today|tomorrow|yesterday)\\b", Pattern.CASE_INSENSITIVE);

    private ReplicaForm() {}

    /** Whether the replicas get another form, which is read from the origin's catalogs after the statement. */
    static boolean isDerived(Statement.Ddl ddl) {
        return makesTableOfQuery(ddl) || hasComputedBounds(ddl) || freezesTime(ddl);
    }

    private static boolean freezesTime(Statement.Ddl ddl) {
        return ddl.tag().equals("CREATE VIEW")
                && !ddl.facts().contains(DdlFact.TEMPORARY)
                && FROZEN_TIME.matcher(ddl.text()).find();
    }

    /** The query runs on the origin alone: it may have effects, and its rows are carried. */
    static boolean makesTableOfQuery(Statement.Ddl ddl) {
        return ddl.facts().contains(DdlFact.ROWS_FROM_QUERY)
                && !ddl.facts().contains(DdlFact.TEMPORARY)
                && !ddl.tag().endsWith("MATERIALIZED VIEW");
    }

    private static boolean hasComputedBounds(Statement.Ddl ddl) {
        return ddl.expressions().stream()
                .filter(e -> e.place() == Expression.Place.PARTITION_BOUND)
                .anyMatch(e -> !e.functions().isEmpty() || !e.calls().exact() || ValuePolicy.mayReadClock(e.text()));
    }

    /**
     * The text for the replicas.
     *
     * @param client the session in which the statement has run
     * @param now what its names mean there now
     */
    static String of(NodeSession client, Statement.Ddl ddl, Resolution now) {
        if (makesTableOfQuery(ddl)) {
            for (Resolution.Relation made : relations(now, ObjectKind.TABLE, ObjectRole.CREATED)) {
                List<Row> definition = client.query(DEFINITION, made.quoted(), made.relid());
                if (!definition.isEmpty()) {
                    return definition.get(0).text("definition");
                }
            }
        }
        if (freezesTime(ddl)) {
            for (Resolution.Relation made : relations(now, ObjectKind.VIEW, ObjectRole.CREATED)) {
                return client.query(VIEW, made.quoted(), made.relid()).get(0).text("definition");
            }
        }
        if (hasComputedBounds(ddl)) {
            boolean attaches = ddl.facts().contains(DdlFact.PARTITION_CHANGE);
            List<Resolution.Relation> relations =
                    relations(now, ObjectKind.TABLE, attaches ? ObjectRole.ALTERED : ObjectRole.CREATED);
            for (int i = relations.size() - 1; i >= 0; i--) {
                String bound =
                        client.query(BOUND, relations.get(i).relid()).get(0).get("bound");
                if (bound != null) {
                    return DdlRewriter.withPartitionBound(ddl, bound);
                }
            }
        }
        return asSent(ddl);
    }

    /** The text for the replicas where nothing need be read from the origin. */
    static String asSent(Statement.Ddl ddl) {
        return DatabasePrivileges.isMeant(ddl) ? DatabasePrivileges.onReplicas(ddl) : MaterializedRows.onReplicas(ddl);
    }

    private static List<Resolution.Relation> relations(Resolution now, ObjectKind kind, ObjectRole role) {
        return now.named().stream()
                .filter(n -> n.ref().kind() == kind && n.ref().role() == role)
                .flatMap(n -> n.relation().stream())
                .toList();
    }
}
