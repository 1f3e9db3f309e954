package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.List;

/** Brings the sequences that belong to replicated tables to the origin's positions, when a replica begins. Stateless. */
final class SequenceStart {
    private static final String SEQUENCES = """
            SELECT DISTINCT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(s.relname) AS name
            FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class s ON s.oid = d.objid AND s.relkind = 'S'
            JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace JOIN ddlrep.replicated_table t ON t.relid = d.refobjid
            WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
                AND d.deptype IN ('a', 'i') AND t.publication = $1 ORDER BY 1""";

    private SequenceStart() {}

    static void copy(NodeSession origin, List<GroupMember> replicas, String publication) {
        for (Row sequence : origin.query(SEQUENCES, publication)) {
            String name = sequence.text("name");
            Row position =
                    origin.query("SELECT last_value, is_called FROM " + name).get(0);
            for (GroupMember replica : replicas) {
                replica.session()
                        .query(
                                "SELECT pg_catalog.setval($1::text::regclass, $2::bigint, $3::boolean)",
                                name,
                                position.number("last_value"),
                                position.flag("is_called"));
            }
        }
    }
}
