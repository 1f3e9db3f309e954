package io.ddlrep.examples.matrix;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs forms on a group, each in a schema of its own that is dropped behind it. Used by one thread. */
final class MatrixRun implements AutoCloseable {
    private static final String SCHEMA = "m";
    private static final String PATH = "SET search_path = m, public";
    private static final String TABLES = "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm') AND c.relpersistence = 'p'"
            + " AND (c.relkind = 'r' OR c.relispopulated) AND n.nspname !~ '^(pg_|information_schema$|ddlrep)' ORDER BY 1";

    /** Relations in the order of their names, each with its strongest lock; the observer itself holds none of them. */
    private static final String LOCKS = """
            SELECT DISTINCT ON (l.relation::regclass::text) l.relation::regclass::text, l.mode
              FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
             WHERE l.locktype = 'relation' AND l.granted AND l.relation = ANY (${relations}) AND ${who}
             ORDER BY l.relation::regclass::text, array_position(ARRAY['AccessExclusiveLock', 'ExclusiveLock',
                 'ShareRowExclusiveLock', 'ShareLock', 'ShareUpdateExclusiveLock', 'RowExclusiveLock', 'RowShareLock',
                 'AccessShareLock'], l.mode)
            """;

    private static final String RELATIONS = "SELECT coalesce(array_agg(c.oid), '{}')::text FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'm' AND c.relkind IN ('r','p','v','m','S','f')";

    /** Where a form says nothing of its own: the table that nearly all groups have, if it still has its key, is written. */
    private static final String AFTER = """
            DO $$ BEGIN
                IF EXISTS (SELECT FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.oid = to_regclass('m.t')
                        AND c.relkind IN ('r', 'p') AND a.attname = 'id' AND a.atttypid = 'int4'::regtype) THEN
                    UPDATE m.t SET id = id + 10;
                END IF;
            END $$
            """;

    private final EmbeddedGroup group;
    private final List<Connection> watchers = new ArrayList<>();

    MatrixRun(EmbeddedGroup group) throws SQLException {
        this.group = group;
        for (PgNode node : group.nodes()) {
            Connection watcher = node.connect();
            execute(watcher, PATH);
            watchers.add(watcher);
        }
    }

    int major() throws SQLException {
        return Integer.parseInt(one(watchers.get(0), "SHOW server_version_num")) / 10_000;
    }

    /** What was seen, and what is wrong with it: nothing, as a rule. */
    record Result(Seen seen, List<String> wrong) {}

    Result run(MatrixFile file, Form form) throws SQLException {
        List<String> wrong = new ArrayList<>();
        try (Connection client = group.connect("")) {
            List<String> setup = new ArrayList<>(List.of("CREATE SCHEMA " + SCHEMA, PATH));
            setup.addAll(file.setup());
            setup.addAll(form.setup());
            execute(client, setup.stream().filter(sql -> !isAlone(sql)).collect(Collectors.joining(";\n")));
            for (String alone : setup.stream().filter(MatrixRun::isAlone).toList()) {
                execute(client, alone);
            }
            group.synchronize();
            Seen seen;
            try {
                seen = look(client, form, wrong);
            } finally {
                clean(client, form, wrong);
            }
            return new Result(seen, wrong);
        }
    }

    /** What PostgreSQL takes in no message with others. */
    private static boolean isAlone(String sql) {
        return sql.startsWith("CREATE DATABASE");
    }

    private Seen look(Connection client, Form form, List<String> wrong) throws SQLException {
        String changes = "SELECT last_value + is_called::int FROM ddlrep.change_seq";
        String operations = "SELECT count(*) FROM ddlrep.ddl_operation";
        Map<String, String> rowsBefore = rows(watchers.get(1));
        long operationsBefore = Long.parseLong(one(watchers.get(0), operations));
        long changesBefore = Long.parseLong(one(watchers.get(0), changes));
        Done done = perform(client, form);
        boolean operation = Long.parseLong(one(watchers.get(0), operations)) > operationsBefore;
        boolean carried = Long.parseLong(one(watchers.get(0), changes)) > changesBefore;
        if (!done.error().isEmpty()) {
            compare(wrong);
            return new Seen(done.error(), done.place(), "-", "-", "");
        }
        group.synchronize();
        boolean travelled = !rows(watchers.get(1)).equals(rowsBefore);
        String outcome = operation ? "replicated" : travelled ? "rows" : "local";
        for (String after : form.after().isEmpty() ? List.of(AFTER) : form.after()) {
            execute(client, after);
        }
        group.synchronize();
        if (!outcome.equals("local")) {
            compare(wrong);
        }
        return new Seen(outcome, done.place(), done.origin(), done.replicas(), operation && carried ? "rows" : "");
    }

    /** What came of the text: an error, or what it had locked before its COMMIT. */
    private record Done(String error, String place, String origin, String replicas) {}

    private Done perform(Connection client, Form form) throws SQLException {
        String pid = one(client, "SELECT pg_backend_pid()");
        List<String> before = new ArrayList<>();
        for (Connection watcher : watchers) {
            before.add("'" + one(watcher, RELATIONS) + "'::oid[]");
        }
        client.setAutoCommit(false);
        try {
            execute(client, form.sql());
            String origin = locks(watchers.get(0), before.get(0), "l.pid = " + pid);
            String replica = locks(watchers.get(1), before.get(1), "a.application_name = 'ddlrep companion'");
            client.commit();
            client.setAutoCommit(true);
            return new Done("", "block", origin, replica);
        } catch (SQLException inBlock) {
            client.rollback();
            client.setAutoCommit(true);
            execute(client, PATH);
        }
        try {
            execute(client, form.sql());
            return new Done("", "alone", "-", "-");
        } catch (SQLException e) {
            return new Done(error(e), "", "-", "-");
        }
    }

    private static String error(SQLException e) {
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return "refused " + e.getSQLState() + " " + message.replaceFirst("^(ERROR|FATAL): ", "");
    }

    private static String locks(Connection watcher, String relations, String who) throws SQLException {
        List<String> locks = new ArrayList<>();
        try (Statement statement = watcher.createStatement();
                ResultSet rows = statement.executeQuery(
                        LOCKS.replace("${relations}", relations).replace("${who}", who))) {
            while (rows.next()) {
                locks.add(rows.getString(1) + " " + Seen.mode(rows.getString(2)));
            }
        }
        return locks.isEmpty() ? "-" : String.join(", ", locks);
    }

    /** All nodes have the same objects and the same rows. */
    private void compare(List<String> wrong) throws SQLException {
        CatalogDump origin = CatalogDump.of(watchers.get(0));
        Map<String, String> rows = rows(watchers.get(0));
        for (int i = 1; i < watchers.size(); i++) {
            for (String difference : origin.difference(CatalogDump.of(watchers.get(i)))) {
                wrong.add("n1 and n" + (i + 1) + ": " + difference);
            }
            Map<String, String> there = rows(watchers.get(i));
            if (!there.equals(rows)) {
                wrong.add("rows of n1 " + rows + ", of n" + (i + 1) + " " + there);
            }
        }
    }

    private static Map<String, String> rows(Connection watcher) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = watcher.createStatement();
                ResultSet rows = statement.executeQuery(TABLES)) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        Map<String, String> sums = new LinkedHashMap<>();
        for (String table : tables) {
            sums.put(table, hasColumns(watcher, table) ? TableDump.checksum(watcher, table) : "no columns");
        }
        return sums;
    }

    private static boolean hasColumns(Connection watcher, String table) throws SQLException {
        return !one(
                        watcher,
                        "SELECT count(*) FROM pg_attribute WHERE attrelid = '" + table.replace("'", "''")
                                + "'::regclass AND attnum > 0 AND NOT attisdropped")
                .equals("0");
    }

    private void clean(Connection client, Form form, List<String> wrong) throws SQLException {
        execute(client, "RESET ALL");
        for (String drop : form.drop()) {
            try {
                execute(client, drop);
            } catch (SQLException e) {
                // What a refused form would have made is not there.
                if (!List.of("42704", "42P01", "3F000", "42883", "3D000").contains(e.getSQLState())) {
                    wrong.add("behind it, " + drop + ": " + error(e));
                }
            }
        }
        try {
            execute(client, "DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
        } catch (SQLException e) {
            wrong.add("its schema stays: " + error(e));
        }
        group.synchronize();
    }

    /** Whether nothing that a form has left makes the nodes differ. */
    List<String> leftOver() throws SQLException {
        List<String> wrong = new ArrayList<>();
        compare(wrong);
        return wrong;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection watcher : watchers) {
            watcher.close();
        }
    }
}
