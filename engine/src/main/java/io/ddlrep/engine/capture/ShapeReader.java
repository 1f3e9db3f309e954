package io.ddlrep.engine.capture;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the shapes of tables from a node's catalogs, in one query. Stateless; may use the client's own session. */
public final class ShapeReader {
    private static final String SQL =
            "SELECT * FROM ddlrep.shapes($1::pg_catalog.text[]::pg_catalog.oid[]) s ORDER BY s.relid, s.attnum";

    private ShapeReader() {}

    /**
     * The shapes of tables by oid; those that do not exist are absent.
     *
     * @param session sees uncommitted DDL of its own
     * @param relids oids on that node
     */
    public static Map<Long, TableShape> read(NodeSession session, Collection<Long> relids) {
        if (relids.isEmpty()) {
            return Map.of();
        }
        List<String> oids = relids.stream().map(String::valueOf).distinct().toList();
        Map<Long, List<Row>> byTable = new LinkedHashMap<>();
        for (Row row : session.query(SQL, oids)) {
            byTable.computeIfAbsent(row.number("relid"), relid -> new ArrayList<>())
                    .add(row);
        }
        Map<Long, TableShape> shapes = new LinkedHashMap<>();
        byTable.forEach((relid, rows) -> shapes.put(relid, shape(relid, rows)));
        return shapes;
    }

    private static TableShape shape(long relid, List<Row> rows) {
        Row first = rows.get(0);
        List<Column> columns = rows.stream()
                .filter(row -> row.get("column") != null)
                .map(ShapeReader::column)
                .toList();
        String root = first.get("root");
        TableShape.Facts facts = new TableShape.Facts(
                first.text("kind").charAt(0),
                first.text("persistence").charAt(0),
                first.flag("is_partition"),
                root == null ? 0 : Long.parseLong(root),
                first.flag("rls_binds_owner"),
                first.flag("inherits"),
                first.flag("row_triggers"),
                first.flag("updated_by_actions"),
                first.flag("key_deferrable"),
                list(first.text("partitions")).stream().map(Long::valueOf).toList(),
                list(first.text("own_triggers")),
                list(first.text("switched_off")),
                first.flag("name_taken"),
                first.flag("rules_apply"));
        return new TableShape(relid, first.text("schema"), first.text("name"), first.text("owner"), facts, columns);
    }

    private static List<String> list(String joined) {
        return joined.isEmpty() ? List.of() : Arrays.asList(joined.split(",", -1));
    }

    private static Column column(Row row) {
        @Nullable String position = row.get("key_position");
        return new Column(
                row.text("column"),
                (int) row.number("attnum"),
                row.flag("generated"),
                row.flag("identity_always"),
                row.flag("not_null"),
                row.text("type"),
                row.text("type_name"),
                row.get("wire_type"),
                row.get("collation"),
                position == null ? -1 : Integer.parseInt(position),
                row.get("key_operator"),
                0);
    }
}
