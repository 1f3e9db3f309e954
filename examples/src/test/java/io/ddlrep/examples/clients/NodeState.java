package io.ddlrep.examples.clients;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a database holds: its catalogs, and the rows of its tables. Immutable.
 *
 * @param catalogs without the positions of sequences, which DDL alone carries to replicas
 * @param rows by table
 */
record NodeState(CatalogDump catalogs, SortedMap<String, List<String>> rows) {
    private static final String TABLES = "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND n.nspname !~"
            + " '^(pg_|information_schema$|ddlrep)' ORDER BY 1";

    static NodeState of(PgNode node) throws SQLException {
        try (Connection connection = node.connect()) {
            SortedMap<String, List<String>> rows = new TreeMap<>();
            for (String table : node.queryRows(TABLES)) {
                rows.put(table, TableDump.rows(connection, table));
            }
            return new NodeState(CatalogDump.of(connection), rows);
        }
    }

    /** What stands here ({@code -}) and there ({@code +}) only; empty when both hold the same. */
    List<String> difference(NodeState other) {
        List<String> difference = new ArrayList<>(catalogs.difference(other.catalogs));
        TreeSet<String> tables = new TreeSet<>(rows.keySet());
        tables.addAll(other.rows.keySet());
        for (String table : tables) {
            List<String> here = rows.getOrDefault(table, List.of());
            List<String> there = other.rows.getOrDefault(table, List.of());
            if (!here.equals(there)) {
                difference.add("- rows of " + table + ": " + here);
                difference.add("+ rows of " + table + ": " + there);
            }
        }
        return difference;
    }

    /** As {@link #difference}, of what does not depend on the time: catalogs, and how many rows there are. */
    List<String> shapeDifference(NodeState other) {
        List<String> difference = new ArrayList<>(catalogs.difference(other.catalogs));
        SortedMap<String, Integer> here = counts();
        SortedMap<String, Integer> there = other.counts();
        if (!here.equals(there)) {
            difference.add("- rows: " + here);
            difference.add("+ rows: " + there);
        }
        return difference;
    }

    private SortedMap<String, Integer> counts() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        rows.forEach((table, lines) -> counts.put(table, lines.size()));
        return counts;
    }
}
