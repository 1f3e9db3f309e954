package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.List;

/** Brings the sequences that belong to replicated tables to the origin's positions, when a replica begins. Stateless. */
final class SequenceStart {
    private static final String SEQUENCES = """
            SELECT DISTINCT pg_catalog.quote_ident(n.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(s.relname) AS name
            FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class s ON s.oid OPERATOR(pg_catalog.=) d.objid AND s.relkind OPERATOR(pg_catalog.=) 'S'
            JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) s.relnamespace JOIN ddlrep.replicated_table t ON t.relid OPERATOR(pg_catalog.=) d.refobjid
            WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
                AND d.deptype OPERATOR(pg_catalog.=) ANY ('{a,i}'::pg_catalog."char"[]) AND t.publication OPERATOR(pg_catalog.=) $1 ORDER BY 1""";

    private SequenceStart() {}

    static void copy(NodeSession origin, List<GroupMember> replicas, String publication) {
        for (Row sequence : origin.query(SEQUENCES, publication)) {
            String name = sequence.text("name");
            Row position =
                    origin.query("SELECT last_value, is_called FROM " + name).get(0);
            for (GroupMember replica : replicas) {
                replica.session()
                        .query(
                                "SELECT pg_catalog.setval($1::pg_catalog.text::pg_catalog.regclass, $2::bigint, $3::boolean)",
                                name,
                                position.number("last_value"),
                                position.flag("is_called"));
            }
        }
    }
}
