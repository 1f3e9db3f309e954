package io.ddlrep.engine.capture;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.util.Collection;
import java.util.List;

/** Rows of {@code ddlrep.replicated_table}: read and written. Stateless. */
public final class ReplicatedTables {
    private static final String SELECT = "SELECT r.table_id, r.publication, r.relid, r.schema_name, r.table_name,"
            + " r.generation, pg_catalog.array_to_string(r.key_columns, pg_catalog.chr(1)) AS key_columns, r.capture,"
            + " r.shape FROM ddlrep.replicated_table r";

    private ReplicatedTables() {}

    /** All tables of a node's control schema. */
    public static List<ReplicatedTable> all(NodeSession session) {
        return session.query(SELECT + " ORDER BY r.table_id").stream()
                .map(ReplicatedTable::of)
                .toList();
    }

    /** Those with these oids. */
    public static List<ReplicatedTable> byRelid(NodeSession session, Collection<Long> relids) {
        List<String> oids = relids.stream().map(String::valueOf).toList();
        return session
                .query(
                        SELECT + " WHERE r.relid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[]::pg_catalog.oid[])",
                        oids)
                .stream()
                .map(ReplicatedTable::of)
                .toList();
    }

    /** SQL that makes the row what it is here; the oid is looked up by name on the node that runs it. */
    static String upsert(ReplicatedTable table) {
        return "INSERT INTO ddlrep.replicated_table AS r (table_id, publication, relid, schema_name, table_name,"
                + " generation, key_columns, capture, shape) VALUES (" + table.tableId() + ", "
                + Quote.literal(table.publication()) + ", " + Quote.literal(table.quoted())
                + "::pg_catalog.regclass::pg_catalog.oid, " + Quote.literal(table.schema()) + ", "
                + Quote.literal(table.name()) + ", " + table.generation() + ", " + Quote.array(table.keyColumns())
                + ", " + Quote.literal(table.capture().sql()) + ", " + Quote.literal(table.shape())
                + ") ON CONFLICT (table_id) DO UPDATE SET relid = excluded.relid, schema_name = excluded.schema_name,"
                + " table_name = excluded.table_name, generation = excluded.generation,"
                + " key_columns = excluded.key_columns, capture = excluded.capture, shape = excluded.shape;\n";
    }
}
