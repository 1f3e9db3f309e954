package io.ddlrep.engine.substrate;

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
    /** The qualified and quoted name, as SQL text. */
    public String quoted() {
        return "\"" + schema.replace("\"", "\"\"") + "\".\"" + name.replace("\"", "\"\"") + "\"";
    }
}
