package io.ddlrep.examples.regression;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs migrations on a database without ddlrep and on the nodes of a group, and compares them after each. Used by one
 * thread.
 */
final class MigrationRun implements AutoCloseable {
    private static final String TABLES = "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname !~"
            + " '^(pg_|information_schema$|ddlrep)' ORDER BY 1";

    private final EmbeddedGroup group;
    private final PgNode lone;
    private final Connection alone;
    private final Connection through;
    private final List<Connection> watchers = new ArrayList<>();
    /** Differences that were there before, so that each is told once. */
    private final Set<String> known = new TreeSet<>();

    MigrationRun(EmbeddedGroup group, PgNode lone) throws SQLException {
        this.group = group;
        this.lone = lone;
        this.alone = lone.connect();
        this.through = group.connect("&preferQueryMode=simple");
        alone.setAutoCommit(false);
        through.setAutoCommit(false);
        for (PgNode node : group.nodes()) {
            watchers.add(node.connect());
        }
    }

    /** What is not as it should be after a migration; what the group has refused is then done on each node alone. */
    List<String> run(MigrationsIT.Migration migration) throws SQLException {
        List<String> told = new ArrayList<>();
        String expected = transaction(alone, migration.text());
        String seen = transaction(through, migration.text());
        if (!expected.equals(seen)) {
            told.add(migration.name() + ": here " + seen + ", without ddlrep " + expected);
            if (expected.isEmpty()) {
                for (PgNode node : group.nodes()) {
                    String role = node.equals(group.origin()) ? "origin" : "replica";
                    node.execute(
                            "SET ddlrep.replicate = off", "SET session_replication_role = " + role, migration.text());
                }
            }
        }
        CatalogDump origin = CatalogDump.of(watchers.get(0));
        CatalogDump other = timeless(CatalogDump.of(alone));
        compare(migration, "the database without ddlrep", timeless(origin).difference(other), told);
        alone.commit();
        for (int i = 1; i < watchers.size(); i++) {
            compare(migration, "n" + (i + 1), origin.difference(CatalogDump.of(watchers.get(i))), told);
        }
        return told;
    }

    private void compare(MigrationsIT.Migration migration, String node, List<String> differences, List<String> told) {
        List<String> fresh =
                differences.stream().filter(d -> known.add(node + ": " + d)).toList();
        if (!fresh.isEmpty()) {
            told.add(migration.name() + ": n1 and " + node + ": "
                    + String.join(" | ", fresh.subList(0, Math.min(4, fresh.size()))));
        }
    }

    /** Views keep the time at which they were made where their texts say 'now'. */
    private static CatalogDump timeless(CatalogDump dump) {
        return new CatalogDump(dump.lines().stream()
                .map(line -> line.replaceAll("'20\\d\\d-[-0-9:. ]+'::timestamp", "'now'::timestamp"))
                .toList());
    }

    /** The error that a text met in a transaction of its own; empty where it met none. */
    private static String transaction(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(text);
            connection.commit();
            return "";
        } catch (SQLException e) {
            connection.rollback();
            // The position is that in the text which was sent, whole or a statement of it.
            return (e.getSQLState() + " " + e.getMessage()).replace('\n', ' ').replaceFirst(" +Position: \\d+", "");
        }
    }

    /** What rows differ once the replicas have everything. How many there are must be as without ddlrep. */
    List<String> compareRows() throws SQLException {
        group.synchronize();
        List<String> told = new ArrayList<>();
        for (String table : lone.queryRows(TABLES)) {
            String expected = TableDump.checksum(watchers.get(0), table);
            for (int i = 1; i < watchers.size(); i++) {
                String seen = TableDump.checksum(watchers.get(i), table);
                if (!seen.equals(expected)) {
                    told.add("rows of " + table + " on n" + (i + 1) + ": " + seen + ", on n1 " + expected);
                }
            }
            String count = "SELECT count(*) FROM ONLY " + table;
            if (!lone.queryRows(count).equals(group.origin().queryRows(count))) {
                told.add("rows of " + table + ": " + group.origin().queryRows(count) + ", without ddlrep "
                        + lone.queryRows(count));
            }
        }
        return told;
    }

    @Override
    public void close() throws SQLException {
        for (Connection watcher : watchers) {
            watcher.close();
        }
        alone.close();
        through.close();
    }
}
