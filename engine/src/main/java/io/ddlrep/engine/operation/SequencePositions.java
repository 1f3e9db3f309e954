package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.util.Collection;
import java.util.List;

/**
 * Positions of the sequences that an operation made, changed or used. They are set by ALTER SEQUENCE … RESTART, which is
 * transactional (setval is not), and one nextval where the value was handed out already. Stateless.
 */
final class SequencePositions {
    private static final String OWNED = SqlResource.text("sql/owned_sequences.sql");

    private SequencePositions() {}

    /** Quoted names of the sequences that belong to columns of tables. */
    static List<String> owned(NodeSession client, Collection<ReplicatedTable> tables) {
        if (tables.isEmpty()) {
            return List.of();
        }
        List<String> relids = tables.stream().map(t -> Long.toString(t.relid())).toList();
        return client.query(OWNED, relids).stream().map(r -> r.text("name")).toList();
    }

    /** SQL that gives the replicas the origin's positions, read in the client's session. */
    static String sql(NodeSession client, Collection<String> sequences) {
        StringBuilder sql = new StringBuilder();
        for (String sequence : sequences) {
            if (client.query("SELECT pg_catalog.to_regclass($1) AS relid", sequence)
                            .get(0)
                            .get("relid")
                    == null) {
                continue; // dropped again by the same transaction
            }
            Row row = client.query("SELECT last_value, is_called FROM " + sequence)
                    .get(0);
            sql.append("ALTER SEQUENCE ")
                    .append(sequence)
                    .append(" RESTART WITH ")
                    .append(row.number("last_value"))
                    .append("; ");
            if (row.flag("is_called")) {
                sql.append("SELECT pg_catalog.nextval('")
                        .append(sequence.replace("'", "''"))
                        .append("'); ");
            }
        }
        return sql.toString();
    }
}
