package io.ddlrep.examples.demo;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Prints, for each node, what stands in its catalogs and tables at that moment. Used by one thread. */
final class NodeTable {
    private static final String COLUMNS = """
            SELECT pg_catalog.string_agg(a.attname || ' ' || pg_catalog.format_type(a.atttypid, a.atttypmod)
                       || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END, ', ' ORDER BY a.attnum)
                   || coalesce((SELECT '; ' || pg_catalog.pg_get_constraintdef(c.oid) FROM pg_catalog.pg_constraint c
                                 WHERE c.conrelid = a.attrelid AND c.contype = 'p'), '; no key')
              FROM pg_catalog.pg_attribute a
             WHERE a.attrelid = '%s'::regclass AND a.attnum > 0 AND NOT a.attisdropped GROUP BY a.attrelid
            """;

    private final EmbeddedGroup group;
    private final PrintStream out;

    NodeTable(EmbeddedGroup group, PrintStream out) {
        this.group = group;
        this.out = out;
    }

    /** Prints the tables of every node, and says whether all are equal. */
    boolean print(String title, String... tables) throws SQLException {
        out.println(title);
        boolean equal = true;
        for (String table : tables) {
            List<String> lines = new ArrayList<>();
            for (PgNode node : group.nodes()) {
                lines.add(line(node, table));
                out.println("     " + node.name() + "  " + table + "  " + lines.get(lines.size() - 1));
            }
            equal &= lines.stream().distinct().count() == 1;
        }
        boolean schemas = schemasEqual();
        out.println("     => rows and shapes are " + (equal ? "EQUAL" : "DIFFERENT") + " on all nodes; catalogs are "
                + (schemas ? "EQUAL" : "different (" + difference() + ")"));
        return equal;
    }

    private static String line(PgNode node, String table) throws SQLException {
        try (Connection connection = node.connect()) {
            String checksum = TableDump.checksum(connection, table);
            return shorten(checksum) + "  (" + node.queryText(COLUMNS.formatted(table)) + ")";
        }
    }

    private static String shorten(String checksum) {
        return checksum.length() > 60 ? checksum.substring(0, 60) : checksum;
    }

    private boolean schemasEqual() throws SQLException {
        List<String> dumps = new ArrayList<>();
        for (PgNode node : group.nodes()) {
            dumps.add(dump(node));
        }
        return dumps.stream().map(NodeTable::hash).distinct().count() == 1;
    }

    private String difference() throws SQLException {
        List<String> origin = dump(group.origin()).lines().toList();
        for (PgNode node : group.nodes()) {
            for (String line : dump(node).lines().toList()) {
                if (!origin.contains(line)) {
                    return "only on " + node.name() + ": " + line.strip();
                }
            }
        }
        return "something is missing on a replica";
    }

    private static String dump(PgNode node) throws SQLException {
        try (Connection connection = node.connect()) {
            return CatalogDump.of(connection).text();
        }
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
