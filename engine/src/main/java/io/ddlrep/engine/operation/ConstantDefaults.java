package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.node.Row;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.DdlRewriter;
import io.ddlrep.parser.Expression;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * ALTER TABLE … ADD COLUMN with defaults that are stable, as {@code now()}: the server computes such a default once, stores
 * the value in the catalogs ({@code attmissingval}) and touches no row. The replicas get that value as a constant, and
 * then the default for rows to come, so that they touch none either, and none is carried. Immutable.
 *
 * @param ddl the statement
 * @param table the table that it alters
 * @param relids the table, and its partitions
 * @param defaults what stands in the statement for new columns, and is computed
 */
record ConstantDefaults(Statement.Ddl ddl, Resolution.Relation table, List<Long> relids, List<Expression> defaults) {
    private static final String SQL = SqlResource.text("sql/constant_defaults.sql");
    private static final String EXISTING = "SELECT FROM pg_catalog.pg_attribute a"
            + " WHERE a.attrelid OPERATOR(pg_catalog.=) $1::pg_catalog.oid"
            + " AND a.attname OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.text[])";

    /**
     * Whether the replicas may do with constants; what the server has made of it is known when the origin has run it.
     *
     * @param client the session, before the statement
     */
    static Optional<ConstantDefaults> of(NodeSession client, Statement.Ddl ddl, Resolution resolution) {
        List<Resolution.Relation> tables = resolution.named().stream()
                .filter(n -> n.ref().kind() == ObjectKind.TABLE && n.ref().role() == ObjectRole.ALTERED)
                .flatMap(n -> n.relation().stream())
                .toList();
        if (!ddl.complete()
                || !ddl.facts().contains(DdlFact.ADD_COLUMN)
                || ddl.facts().contains(DdlFact.COLUMN_TYPE)
                || tables.size() != 1) {
            return Optional.empty();
        }
        Resolution.Relation table = tables.get(0);
        // A child may have had the column, with a default of its own.
        if (table.kind() != 'p' && !table.below().isEmpty()) {
            return Optional.empty();
        }
        List<Expression> defaults = ddl.expressions().stream()
                .filter(e -> e.place() == Expression.Place.ADD_COLUMN_DEFAULT && ValuePolicy.mayDiffer(e))
                .toList();
        List<String> columns = defaults.stream().map(Expression::column).toList();
        if (columns.isEmpty() || Set.copyOf(columns).size() != columns.size()) {
            return Optional.empty();
        }
        if (ddl.facts().contains(DdlFact.CONDITIONAL)
                && !client.query(EXISTING, table.relid(), columns).isEmpty()) {
            return Optional.empty();
        }
        List<Long> relids = new ArrayList<>(table.below());
        relids.add(table.relid());
        return Optional.of(new ConstantDefaults(ddl, table, relids, defaults));
    }

    /**
     * The statements for the replicas; empty where the server has written rows, so that theirs must be carried.
     *
     * @param client the session, in which the statement has run
     */
    Optional<String> forReplicas(NodeSession client) {
        Map<String, Row> stored = new HashMap<>();
        List<String> columns = defaults.stream().map(Expression::column).toList();
        client.query(SQL, table.relid(), relids, columns).forEach(row -> stored.put(row.text("name"), row));
        if (!stored.keySet().equals(new HashSet<>(columns))) {
            return Optional.empty();
        }
        Map<Expression, String> constants = new HashMap<>();
        List<String> later = new ArrayList<>();
        for (Expression each : defaults) {
            Row row = Objects.requireNonNull(stored.get(each.column()));
            constants.put(each, Quote.literal(row.text("value")));
            String expression = row.get("later");
            later.add("ALTER COLUMN " + new ObjectName(null, each.column()).quoted()
                    + (expression == null ? " DROP DEFAULT" : " SET DEFAULT " + expression));
        }
        return Optional.of(DdlRewriter.withExpressions(ddl, constants) + ";\nALTER TABLE " + table.quoted() + " "
                + String.join(", ", later));
    }
}
