package io.ddlrep.testkit.dump;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Everything a database's catalogs say about the objects of its users, one line per fact, sorted, without OIDs and
 * without the physical order of columns. ddlrep's own schemas and triggers, members of extensions and the system's schemas
 * are left out. Two nodes have the same schema when their dumps are equal. Works on 14 to 18. Immutable.
 *
 * @param lines sorted by character code; line breaks inside a definition are written as {@code \n}
 */
public record CatalogDump(List<String> lines) {

    private static final List<String> SECTIONS = List.of(
            "relations",
            "columns",
            "constraints",
            "indexes",
            "triggers",
            "sequences",
            "functions",
            "types",
            "others",
            "rights");
    private static final String SKIPPED_SCHEMAS = "^(pg_|information_schema$|ddlrep)";
    private static final int FIRST_WITH_SCHEMA_PUBLICATIONS = 15;

    public CatalogDump {
        lines = List.copyOf(lines);
    }

    /** Dump of the connection's database, for nodes of one major. The connection's transaction and settings survive. */
    public static CatalogDump of(Connection connection) throws SQLException {
        return dump(connection, SECTIONS, false);
    }

    /**
     * Dump of what every major can say, for groups of mixed majors: without named NOT NULL constraints, MAINTAIN
     * privileges, rights on schema public and versions of extensions. Majors also print some views differently; that difference stays.
     */
    public static CatalogDump portable(Connection connection) throws SQLException {
        return dump(connection, SECTIONS, true);
    }

    /** As {@link #of}, with the positions of sequences. */
    public static CatalogDump withPositions(Connection connection) throws SQLException {
        List<String> sections = new ArrayList<>(SECTIONS);
        sections.add("positions");
        return dump(connection, sections, false);
    }

    private static CatalogDump dump(Connection connection, List<String> sections, boolean portable)
            throws SQLException {
        TreeSet<String> lines = new TreeSet<>();
        try (PinnedSession pinned = new PinnedSession(connection)) {
            List<String> all = new ArrayList<>(sections);
            if (connection.getMetaData().getDatabaseMajorVersion() >= FIRST_WITH_SCHEMA_PUBLICATIONS) {
                all.add("publications15");
            }
            for (String section : all) {
                try (PreparedStatement statement = pinned.prepare(sql(section, portable));
                        ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        lines.add(rows.getString(1).replace("\n", "\\n"));
                    }
                }
            }
        }
        return new CatalogDump(List.copyOf(lines));
    }

    private static String sql(String section, boolean portable) {
        try (InputStream stream = CatalogDump.class.getResourceAsStream(section + ".sql")) {
            if (stream == null) {
                throw new TestkitException(section + ".sql is not on the class path");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${skipped}", SKIPPED_SCHEMAS)
                    .replace("${portable}", Boolean.toString(portable));
        } catch (IOException e) {
            throw new TestkitException("cannot read " + section + ".sql", e);
        }
    }

    /** All lines as one text. */
    public String text() {
        return String.join("\n", lines);
    }

    /** Lines that stand on one side only, marked {@code -} (here) and {@code +} (there); empty when equal. */
    public List<String> difference(CatalogDump other) {
        TreeSet<String> here = new TreeSet<>(lines);
        TreeSet<String> there = new TreeSet<>(other.lines);
        List<String> difference = lines.stream()
                .filter(line -> !there.contains(line))
                .map(line -> "- " + line)
                .collect(Collectors.toCollection(ArrayList::new));
        other.lines.stream()
                .filter(line -> !here.contains(line))
                .map(line -> "+ " + line)
                .forEach(difference::add);
        return difference;
    }

    @Override
    public String toString() {
        return text();
    }
}
