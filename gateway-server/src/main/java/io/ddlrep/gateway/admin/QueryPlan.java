package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.TokenType;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/**
 * A query over the virtual database and the nodes, planned and run by Apache Calcite, in its dialect with PostgreSQL's rules
 * for names. Used by one thread, but for {@link #cancel}.
 */
final class QueryPlan implements Plan {
    private static final String UNNAMED = "EXPR$";

    private final NodeSessions sessions;
    private final Connection connection;
    private final PreparedStatement statement;
    private final List<Integer> order;
    private final List<Column> columns;
    private final List<ColumnType> parameters;

    /**
     * Plans a query.
     *
     * @param sql one statement, with parameters {@code $1} and so on
     * @param declared types of parameters as far as the client names them, in their order
     * @param tables of the virtual database
     * @param nodes whose tables can be named
     * @param sessions reads the nodes; closed with this, also where this throws
     * @throws AdminException when it cannot be planned
     */
    QueryPlan(
            String sql,
            List<ColumnType> declared,
            List<AdminTable> tables,
            List<NodeAddress> nodes,
            NodeSessions sessions) {
        this.sessions = sessions;
        this.order = new ArrayList<>();
        String asked = questionMarks(sql, order);
        Connection made = null;
        try {
            made = connect();
            SchemaPlus root = made.unwrap(CalciteConnection.class).getRootSchema();
            for (NodeAddress node : nodes) {
                root.add(node.name(), new NodeSchema(node, sessions));
            }
            root.add(AdminDatabase.NAME, new OwnTables(tables, sessions));
            made.setSchema(AdminDatabase.NAME);
            this.connection = made;
            this.statement = made.prepareStatement(asked);
            this.columns = columns(statement.getMetaData());
            this.parameters = parameters(statement.getParameterMetaData(), declared);
        } catch (SQLException | RuntimeException e) {
            quietly(made);
            sessions.close();
            throw AdminException.of(e, sql);
        }
    }

    private static Connection connect() throws SQLException {
        Properties info = new Properties();
        info.setProperty("caseSensitive", "true");
        info.setProperty("unquotedCasing", "TO_LOWER");
        info.setProperty("quotedCasing", "UNCHANGED");
        info.setProperty("quoting", "DOUBLE_QUOTE");
        info.setProperty("conformance", "BABEL");
        info.setProperty("parserFactory", "org.apache.calcite.sql.parser.babel.SqlBabelParserImpl#FACTORY");
        info.setProperty("fun", "standard,postgresql");
        info.setProperty("typeSystem", WideNumbers.class.getName() + "#INSTANCE");
        info.setProperty("defaultNullCollation", "HIGH");
        info.setProperty("timeZone", "UTC");
        return Objects.requireNonNull(new Driver().connect("jdbc:calcite:", info));
    }

    /** Calcite's parameters have no numbers. */
    private static String questionMarks(String sql, List<Integer> order) {
        SqlLexer lexer = new SqlLexer(sql, 0, sql.length(), true);
        StringBuilder asked = new StringBuilder();
        int copied = 0;
        while (lexer.next() != TokenType.END) {
            if (lexer.type() == TokenType.PARAMETER) {
                order.add(Integer.parseInt(sql, lexer.start() + 1, lexer.end(), 10));
                // As long as it was, so that positions of errors stay.
                asked.append(sql, copied, lexer.start())
                        .append('?')
                        .append(" ".repeat(lexer.end() - lexer.start() - 1));
                copied = lexer.end();
            }
        }
        return asked.append(sql, copied, sql.length()).toString();
    }

    private static List<Column> columns(@Nullable ResultSetMetaData data) throws SQLException {
        List<Column> columns = new ArrayList<>();
        for (int i = 1; data != null && i <= data.getColumnCount(); i++) {
            String label = data.getColumnLabel(i);
            // As PostgreSQL calls what has no name.
            String name = label.startsWith(UNNAMED) ? "?column?" : label;
            columns.add(new Column(name, ColumnType.ofJdbc(data.getColumnType(i))));
        }
        return List.copyOf(columns);
    }

    private List<ColumnType> parameters(ParameterMetaData data, List<ColumnType> declared) throws SQLException {
        int count = order.isEmpty() ? 0 : Collections.max(order);
        List<ColumnType> types = new ArrayList<>();
        for (int number = 1; number <= Math.max(count, declared.size()); number++) {
            int place = order.indexOf(number) + 1;
            boolean known = declared.size() >= number && declared.get(number - 1) != ColumnType.TEXT;
            types.add(
                    known
                            ? declared.get(number - 1)
                            : place == 0 ? ColumnType.TEXT : ColumnType.ofJdbc(data.getParameterType(place)));
        }
        return List.copyOf(types);
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public List<ColumnType> parameters() {
        return parameters;
    }

    @Override
    public Rows run(List<@Nullable Object> values) {
        try {
            for (int place = 1; place <= order.size(); place++) {
                set(place, values.get(order.get(place - 1) - 1));
            }
            return new Result(statement.executeQuery());
        } catch (SQLException | RuntimeException e) {
            throw AdminException.of(e, "");
        }
    }

    private void set(int place, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(place, Types.NULL);
        } else if (value instanceof BigDecimal number) {
            statement.setBigDecimal(place, number);
        } else {
            statement.setObject(place, value);
        }
    }

    @Override
    public void cancel() {
        sessions.cancel();
        try {
            statement.cancel();
        } catch (SQLException e) {
            throw AdminException.of(e, "");
        }
    }

    @Override
    public void close() {
        quietly(connection);
        sessions.close();
    }

    private static void quietly(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            // It holds nothing outside this process.
        }
    }

    /** What the query answers. */
    private final class Result implements Rows {
        private final ResultSet results;

        private Result(ResultSet results) {
            this.results = results;
        }

        @Override
        public @Nullable Object @Nullable [] next() {
            try {
                if (!results.next()) {
                    return null;
                }
                @Nullable Object[] row = new @Nullable Object[columns.size()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = value(i + 1, columns.get(i).type());
                }
                return row;
            } catch (SQLException | RuntimeException e) {
                throw AdminException.of(e, "");
            }
        }

        private @Nullable Object value(int place, ColumnType type) throws SQLException {
            Object value = switch (type) {
                case BOOLEAN -> results.getBoolean(place);
                case SMALLINT -> results.getShort(place);
                case INTEGER -> results.getInt(place);
                case BIGINT -> results.getLong(place);
                case DOUBLE -> results.getDouble(place);
                case NUMERIC -> results.getBigDecimal(place);
                case TEXT -> results.getString(place);
            };
            return results.wasNull() ? null : value;
        }

        @Override
        public String tag(long rows) {
            return "SELECT " + rows;
        }

        @Override
        public void close() {
            try {
                results.close();
            } catch (SQLException e) {
                throw AdminException.of(e, "");
            }
        }
    }

    /** The tables of the virtual database itself. */
    private static final class OwnTables extends AbstractSchema {
        private final List<AdminTable> tables;
        private final NodeSessions sessions;

        private OwnTables(List<AdminTable> tables, NodeSessions sessions) {
            this.tables = tables;
            this.sessions = sessions;
        }

        @Override
        protected Map<String, Table> getTableMap() {
            Map<String, Table> map = new LinkedHashMap<>();
            tables.forEach(table -> map.put(table.name(), new OwnTable(table, sessions)));
            return map;
        }
    }

    /** One of them. */
    private static final class OwnTable extends AbstractTable implements ScannableTable {
        private final AdminTable table;
        private final NodeSessions sessions;

        private OwnTable(AdminTable table, NodeSessions sessions) {
            this.table = table;
            this.sessions = sessions;
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory types) {
            RelDataTypeFactory.Builder row = types.builder();
            table.columns()
                    .forEach(column -> row.add(column.name(), column.type().in(types)));
            return row.build();
        }

        @Override
        public Enumerable<@Nullable Object[]> scan(DataContext root) {
            List<@Nullable Object[]> rows = table.rows().get();
            return new Rereadable(rows::iterator, sessions);
        }
    }
}
