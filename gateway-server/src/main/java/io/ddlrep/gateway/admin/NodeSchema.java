package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.jspecify.annotations.Nullable;

/** The schemas of one node, read when the first of them is named. One statement's; used by one thread. */
final class NodeSchema extends AbstractSchema {
    private static final String SCHEMAS = "SELECT n.nspname AS name FROM pg_namespace n";

    // What no relation has belongs to no column: quote_ident of both is the server's own.
    private static final String COLUMNS = """
            SELECT c.relname AS relation, quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS quoted,
                   a.attname AS name, quote_ident(a.attname) AS quoted_name,
                   CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN t.typname ELSE 'other' END AS type
              FROM pg_namespace n
              JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN pg_type t ON t.oid = a.atttypid
             WHERE n.nspname = $1
             ORDER BY c.relname, a.attnum""";

    private final NodeAddress address;
    private final NodeSessions sessions;
    private @Nullable Map<String, Schema> schemas;

    NodeSchema(NodeAddress address, NodeSessions sessions) {
        this.address = address;
        this.sessions = sessions;
    }

    @Override
    protected Map<String, Schema> getSubSchemaMap() {
        Map<String, Schema> read = schemas;
        if (read == null) {
            read = new LinkedHashMap<>();
            for (Row row : sessions.of(address).query(SCHEMAS)) {
                read.put(row.text("name"), new Namespace(row.text("name")));
            }
            schemas = read;
        }
        return read;
    }

    /** The tables and views of one schema. */
    private final class Namespace extends AbstractSchema {
        private final String name;
        private @Nullable Map<String, Table> tables;

        private Namespace(String name) {
            this.name = name;
        }

        @Override
        protected Map<String, Table> getTableMap() {
            Map<String, Table> read = tables;
            if (read == null) {
                read = read();
                tables = read;
            }
            return read;
        }

        private Map<String, Table> read() {
            Map<String, List<Row>> columns = new LinkedHashMap<>();
            for (Row row : sessions.of(address).query(COLUMNS, name)) {
                columns.computeIfAbsent(row.text("relation"), relation -> new ArrayList<>())
                        .add(row);
            }
            Map<String, Table> made = new LinkedHashMap<>();
            columns.forEach((relation, rows) -> made.put(
                    relation,
                    new NodeTable(
                            address,
                            sessions,
                            rows.get(0).text("quoted"),
                            rows.stream().map(NodeTable.NodeColumn::of).toList())));
            return made;
        }
    }
}
