package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.ProjectableFilterableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/**
 * A table or view of a node. The node sends the columns that are asked for, and only rows that pass the comparisons which it
 * makes as Calcite would; Calcite makes all of them again. One statement's; used by one thread.
 */
final class NodeTable extends AbstractTable implements ProjectableFilterableTable {
    private final NodeAddress address;
    private final NodeSessions sessions;
    private final String quoted;
    private final List<NodeColumn> columns;

    /**
     * A column. Immutable.
     *
     * @param name its name
     * @param quoted the same, quoted by the server
     * @param type its type here
     * @param isText whether it is text on the node, too
     */
    record NodeColumn(String name, String quoted, ColumnType type, boolean isText) {
        /** From a row of the catalog. */
        static NodeColumn of(Row row) {
            String type = row.text("type");
            return new NodeColumn(
                    row.text("name"),
                    row.text("quoted_name"),
                    ColumnType.ofServer(type),
                    type.equals("text") || type.equals("varchar"));
        }

        private boolean isWhole() {
            return type == ColumnType.SMALLINT || type == ColumnType.INTEGER || type == ColumnType.BIGINT;
        }

        private String selected() {
            return type == ColumnType.TEXT && !isText ? quoted + "::text" : quoted;
        }
    }

    NodeTable(NodeAddress address, NodeSessions sessions, String quoted, List<NodeColumn> columns) {
        this.address = address;
        this.sessions = sessions;
        this.quoted = quoted;
        this.columns = List.copyOf(columns);
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
        RelDataTypeFactory.Builder row = types.builder();
        columns.forEach(column -> row.add(column.name(), column.type().in(types)));
        return row.build();
    }

    @Override
    public Enumerable<@Nullable Object[]> scan(DataContext root, List<RexNode> filters, int @Nullable [] projects) {
        int[] wanted = projects == null ? IntStream.range(0, columns.size()).toArray() : projects;
        List<NodeColumn> read = IntStream.of(wanted).mapToObj(columns::get).toList();
        List<String> conditions = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        filters.forEach(filter -> condition(filter, conditions, values));
        String select = read.isEmpty()
                ? "NULL"
                : String.join(", ", read.stream().map(NodeColumn::selected).toList());
        String sql = "SELECT " + select + " FROM " + quoted
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
        return new Rereadable(() -> new Scan(sql, values, read), sessions);
    }

    /** A comparison of a column with a literal which the node cannot see otherwise than Calcite. */
    private void condition(RexNode filter, List<String> conditions, List<Object> values) {
        if (!(filter instanceof RexCall call)
                || call.getOperands().size() != 2
                || !(call.getOperands().get(0) instanceof RexInputRef left)
                || !(call.getOperands().get(1) instanceof RexLiteral literal)
                || literal.isNull()) {
            return;
        }
        NodeColumn column = columns.get(left.getIndex());
        String operator = switch (call.getKind()) {
            case EQUALS -> "=";
            case LESS_THAN -> "<";
            case LESS_THAN_OR_EQUAL -> "<=";
            case GREATER_THAN -> ">";
            case GREATER_THAN_OR_EQUAL -> ">=";
            default -> "";
        };
        Object value = null;
        if (column.isWhole() && !operator.isEmpty() && literal.getValue() instanceof BigDecimal number) {
            value = number;
        } else if (column.isText() && operator.equals("=")) {
            value = literal.getValueAs(String.class);
        }
        if (value != null) {
            values.add(value.toString());
            String type = column.isText() ? "text" : "numeric";
            conditions.add(column.quoted() + " " + operator + " $" + values.size() + "::" + type);
        }
    }

    /** Reads by a cursor. */
    private final class Scan implements Iterator<@Nullable Object[]> {
        private final NodeSession session;
        private final List<NodeColumn> read;
        private final String cursor;
        private Iterator<Row> fetched = List.<Row>of().iterator();
        private boolean over;

        private Scan(String sql, List<Object> values, List<NodeColumn> read) {
            this.session = sessions.of(address);
            this.read = read;
            this.cursor = sessions.cursor();
            long unused = session.update("DECLARE " + cursor + " NO SCROLL CURSOR FOR " + sql, values.toArray());
        }

        @Override
        public boolean hasNext() {
            if (!fetched.hasNext() && !over) {
                List<Row> rows = session.query("FETCH " + sessions.fetch() + " FROM " + cursor);
                over = rows.size() < sessions.fetch();
                fetched = rows.iterator();
            }
            return fetched.hasNext();
        }

        @Override
        public @Nullable Object[] next() {
            Row row = fetched.next();
            @Nullable Object[] values = new @Nullable Object[read.size()];
            for (int i = 0; i < values.length; i++) {
                String text = row.get(i);
                values[i] = text == null ? null : value(read.get(i), text);
            }
            return values;
        }
    }

    private Object value(NodeColumn column, String text) {
        try {
            return column.type().parse(text);
        } catch (IllegalArgumentException e) {
            throw new NodeException(
                    address.name(),
                    ServerError.of(
                                    "22003",
                                    "column " + column.quoted() + " of " + quoted + " holds " + text
                                            + ", which is no number here")
                            .with(null, "Leave such rows out in a view on the node."),
                    e);
        }
    }
}
