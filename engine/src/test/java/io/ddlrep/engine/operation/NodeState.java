package io.ddlrep.engine.operation;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a node holds, as lines that can be compared. Stateless. */
final class NodeState {
    private static final String TABLES =
            "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND c.relpersistence = 'p'"
                    + " AND n.nspname !~ '^(pg_|information_schema$|ddlrep)' ORDER BY 1";

    /** ddlrep's own objects: triggers, shadow tables, functions, control rows. */
    private static final List<String> OWN = List.of(
            "SELECT 'trigger ' || tgrelid::regclass || ' ' || tgenabled::text || pg_get_triggerdef(oid) FROM pg_trigger"
                    + " WHERE NOT tgisinternal",
            "SELECT 'shadow ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)"
                    + " FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
                    + " WHERE c.relnamespace = 'ddlrep_shadow'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped",
            "SELECT 'function ' || p.oid::regprocedure || ' ' || md5(p.prosrc) FROM pg_proc p"
                    + " WHERE p.pronamespace IN ('ddlrep_shadow'::regnamespace, 'ddlrep_apply'::regnamespace)",
            "SELECT 'replicated ' || (t.*)::text FROM ddlrep.replicated_table t",
            "SELECT 'generation ' || (g.*)::text FROM ddlrep.shadow_generation g");

    private NodeState() {}

    /** Schema and rows of users' objects: equal on all nodes. */
    static List<String> userState(PgNode node) throws SQLException {
        try (Connection connection = node.connect()) {
            List<String> lines = new ArrayList<>(CatalogDump.of(connection).lines());
            addRows(connection, lines);
            return lines;
        }
    }

    /** The same with positions of sequences and ddlrep's own objects: equal before and after what was rolled back. */
    static List<String> everything(PgNode node) throws SQLException {
        try (Connection connection = node.connect()) {
            List<String> lines =
                    new ArrayList<>(CatalogDump.withPositions(connection).lines());
            addRows(connection, lines);
            for (String sql : OWN) {
                lines.addAll(query(connection, sql + " ORDER BY 1"));
            }
            return lines;
        }
    }

    private static void addRows(Connection connection, List<String> lines) throws SQLException {
        for (String table : query(connection, TABLES)) {
            lines.add("rows " + table + " " + TableDump.checksum(connection, table));
        }
    }

    private static List<String> query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
            return lines;
        }
    }
}
