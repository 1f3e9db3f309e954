package io.ddlrep.engine.substrate;

import io.ddlrep.engine.node.Row;
import java.util.Arrays;
import java.util.List;

/**
 * A row of {@code ddlrep.replicated_table}. Immutable.
 *
 * @param tableId stable id; survives RENAME and SET SCHEMA; the same on every node
 * @param publication its publication
 * @param relid its oid on the node that the row was read from
 * @param schema schema name
 * @param name table name
 * @param generation the current generation of its shadow table
 * @param keyColumns the key, in index order; empty for none
 * @param capture how it is captured
 * @param shape canonical text of the row shape: when it changes, a new generation starts
 */
public record ReplicatedTable(
        long tableId,
        String publication,
        long relid,
        String schema,
        String name,
        int generation,
        List<String> keyColumns,
        CaptureForm capture,
        String shape) {
    /** Reads a row of the control table, with {@code key_columns} as one text joined by {@code chr(1)}. */
    public static ReplicatedTable of(Row row) {
        String key = row.text("key_columns");
        return new ReplicatedTable(
                row.number("table_id"),
                row.text("publication"),
                row.number("relid"),
                row.text("schema_name"),
                row.text("table_name"),
                (int) row.number("generation"),
                key.isEmpty() ? List.of() : Arrays.asList(key.split("\u0001", -1)),
                CaptureForm.of(row.text("capture")),
                row.text("shape"));
    }

    /** The qualified and quoted name, as SQL text. */
    public String quoted() {
        return "\"" + schema.replace("\"", "\"\"") + "\".\"" + name.replace("\"", "\"\"") + "\"";
    }
}
