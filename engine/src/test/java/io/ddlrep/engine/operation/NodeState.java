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
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * What a node holds, as lines that can be compared. It keeps its connection, so that the server keeps the plans of the large
 * queries that are run again and again. One thread.
 */
final class NodeState implements AutoCloseable {
    private static final String TABLES =
            "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND c.relpersistence = 'p'"
                    + " AND n.nspname !~ '^(pg_|information_schema$|ddlrep)' ORDER BY 1";

    private static final int TIMEOUT_SECONDS = 5;

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

    private final PgNode node;
    private @Nullable Connection connection;

    NodeState(PgNode node) {
        this.node = node;
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null || !open.isValid(TIMEOUT_SECONDS)) {
            close();
            open = node.connect();
            open.unwrap(PGConnection.class).setPrepareThreshold(1);
            connection = open;
        }
        return open;
    }

    /** Schema and rows of users' objects: equal on all nodes. */
    List<String> userState() throws SQLException {
        Connection open = connection();
        List<String> lines = new ArrayList<>(CatalogDump.of(open).lines());
        addRows(open, lines);
        return lines;
    }

    /** The same with positions of sequences and ddlrep's own objects: equal before and after what was rolled back. */
    List<String> everything() throws SQLException {
        Connection open = connection();
        List<String> lines = new ArrayList<>(CatalogDump.withPositions(open).lines());
        addRows(open, lines);
        for (String sql : OWN) {
            lines.addAll(query(open, sql + " ORDER BY 1"));
        }
        return lines;
    }

    @Override
    public void close() throws SQLException {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
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
