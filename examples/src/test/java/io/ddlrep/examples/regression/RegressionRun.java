package io.ddlrep.examples.regression;

import io.ddlrep.engine.node.Fan;
import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.StatementKind;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script's statements on a database without ddlrep and on the nodes of a group, side by side, and compares the nodes
 * after each statement that may have changed them. Used by one thread.
 */
final class RegressionRun implements AutoCloseable {
    private static final Pattern RULE_ON_REPLICAS =
            Pattern.compile("\\bENABLE\\s+(REPLICA|ALWAYS)\\s+RULE\\b", Pattern.CASE_INSENSITIVE);

    private static final Set<String> MAINTENANCE = Set.of("VACUUM", "ANALYZE");

    private static final ParserOptions OPTIONS = new ParserOptions(true);

    private final Side alone;
    private final Side group;
    private final List<PgNode> nodes;
    private final Runnable synchronize;
    private final List<Connection> watchers = new ArrayList<>();
    private final ExecutorService readers = Executors.newCachedThreadPool();
    private final List<Verdict> verdicts;
    private final String file;
    /** Differences that were there before, so that each is told once. */
    private final Set<String> known;
    /** Statements since the last time that no transaction was open. */
    private final List<String> transaction = new ArrayList<>();

    /** The group has rolled back what the other database has not. */
    private boolean behind;
    /** Whether any statement of the file went another way than alone. */
    private boolean disagreed;

    /** What came of one statement that a single database accepts; of others only what is odd is kept. */
    enum Kind {
        /** DDL that all nodes have, alike. */
        EQUAL,
        /** DDL that ddlrep has refused, and says why. */
        REFUSED,
        /** Accepted, and now the nodes differ. */
        WRONG,
        /** DDL that met another error: it follows from an earlier refusal, or is to be looked at. */
        FAILED,
        /** What follows from an earlier refusal, and statements other than DDL that met another error than alone. */
        LATER
    }

    /** A judgement. */
    record Verdict(String file, int line, Kind kind, String statement, String detail) {}

    RegressionRun(String file, Side alone, Side group, EmbeddedGroup servers, Set<String> known, List<Verdict> verdicts)
            throws SQLException {
        this.file = file;
        this.alone = alone;
        this.group = group;
        this.nodes = servers.nodes();
        this.synchronize = servers::synchronize;
        this.known = known;
        this.verdicts = verdicts;
        for (PgNode node : nodes) {
            watchers.add(node.connect());
        }
    }

    void run(String text, Map<String, String> variables) throws SQLException {
        Psql psql = new Psql(text, variables);
        for (Psql.Step step = psql.next(); step != null; step = psql.next()) {
            if (step.send() == Psql.Send.CONNECT) {
                alone.reconnect(step.text());
                group.reconnect(step.text());
                transaction.clear();
                behind = false;
                continue;
            }
            if (step.send() == Psql.Send.COPY && Side.isCopyFromStdin("copy " + step.text())) {
                psql.copyData();
            }
            if (step.send() == Psql.Send.GDESC || step.send() == Psql.Send.COPY || setsDates(step.text())) {
                continue;
            }
            String data = Side.isCopyFromStdin(step.text()) ? psql.copyData() : "";
            Side.Outcome outcome = step(step, data);
            if (step.send() == Psql.Send.GSET && outcome.rows().size() == 1) {
                for (Map.Entry<String, @Nullable String> field :
                        outcome.rows().get(0).entrySet()) {
                    psql.keep(step.argument() + field.getKey(), field.getValue());
                }
            }
            if (step.send() == Psql.Send.GEXEC) {
                for (Map<String, @Nullable String> row : outcome.rows()) {
                    for (String field : row.values()) {
                        if (field != null) {
                            step(new Psql.Step(step.line(), field, Psql.Send.PLAIN, ""), "");
                        }
                    }
                }
            }
        }
        if (!alone.isIdle()) {
            step(new Psql.Step(0, "ROLLBACK", Psql.Send.PLAIN, ""), "");
        }
        compare(0, "(end of the file)");
        if (!disagreed) {
            compareRows();
        }
    }

    /** Pgjdbc gives a connection up whose dates it cannot read. */
    private static boolean setsDates(String sql) {
        return sql.toLowerCase(Locale.ROOT).matches("(?s)set\\s+(session\\s+|local\\s+)?datestyle\\b.*");
    }

    private Side.Outcome step(Psql.Step step, String data) throws SQLException {
        List<Statement> statements = SqlParser.parse(step.text(), OPTIONS);
        boolean ddl = statements.stream().anyMatch(s -> s instanceof Statement.Ddl && !MAINTENANCE.contains(s.tag()));
        Side.Outcome expected = alone.run(step.text(), data);
        transaction.add(step.text());
        if (behind) {
            if (ddl && expected.ok()) {
                tell(step, Kind.LATER, "its transaction is lost");
            }
        } else {
            judge(step, ddl, expected, group.run(step.text(), data));
        }
        if (statements.stream().anyMatch(s -> s.tag().endsWith(" TABLESPACE")) && expected.ok()) {
            onReplicas(step.text());
        }
        if (alone.isIdle()) {
            boolean mayChange = statements.stream()
                    .anyMatch(s -> s instanceof Statement.Ddl
                            || s.kind() == StatementKind.OPAQUE
                            || s.kind() == StatementKind.UNCLASSIFIED
                            || s.kind() == StatementKind.TRANSACTION_CONTROL);
            if (behind) {
                catchUp();
                // What the nodes made of it, each for itself, is not ddlrep's doing.
                differences();
            } else if (mayChange) {
                compare(step.line(), step.text());
            }
            transaction.clear();
        }
        return expected;
    }

    private void judge(Psql.Step step, boolean ddl, Side.Outcome expected, Side.Outcome seen) throws SQLException {
        String errors = "alone: " + expected.state() + " " + expected.message() + "; here: " + seen.state() + " "
                + seen.message();
        if (expected.ok() && seen.ok()) {
            if (ddl) {
                tell(step, Kind.EQUAL, "");
            }
        } else if (expected.ok()) {
            boolean refused = seen.state().equals("0A000")
                    || seen.state().startsWith("55D0")
                    || (seen.state().equals("55000") && seen.message().contains("ddlrep"));
            tell(step, refused ? Kind.REFUSED : ddl ? Kind.FAILED : Kind.LATER, seen.state() + " " + seen.message());
            disagreed = true;
            behind = true;
            if (!group.isIdle()) {
                group.run("ROLLBACK", "");
            }
        } else if (seen.ok() || (ddl && !expected.state().equals(seen.state()))) {
            tell(step, Kind.LATER, errors);
            disagreed = true;
        }
    }

    private void tell(Psql.Step step, Kind kind, String detail) {
        verdicts.add(new Verdict(file, step.line(), kind, step.text(), detail));
    }

    /** What the group has refused, or met an error in, is done on each node alone, so that what follows has its objects. */
    private void catchUp() throws SQLException {
        behind = false;
        for (PgNode node : nodes) {
            try (Side side = new Side(user -> node.connect())) {
                side.run("SET ddlrep.replicate = off", "");
                for (String sql : transaction) {
                    // What is prepared on each node by itself would be committed on the origin alone.
                    String alone = sql.regionMatches(true, 0, "PREPARE TRANSACTION", 0, 19) ? "COMMIT" : sql;
                    // Such a rule stops replication, which is why ddlrep has refused it.
                    if (!RULE_ON_REPLICAS.matcher(sql).find()) {
                        side.run(alone, "");
                    }
                }
            }
        }
    }

    /** Each server has tablespaces of its own, which whoever runs it makes. */
    private void onReplicas(String sql) throws SQLException {
        for (PgNode node : nodes.subList(1, nodes.size())) {
            try (Side side = new Side(user -> node.connect())) {
                side.run("SET ddlrep.replicate = off", "");
                side.run("SET allow_in_place_tablespaces = on", "");
                side.run(sql, "");
            }
        }
    }

    private void compare(int line, String statement) {
        for (String difference : differences()) {
            verdicts.add(new Verdict(file, line, Kind.WRONG, statement, difference));
        }
    }

    /** Rows of replicated tables, once the replicas have everything. */
    private void compareRows() throws SQLException {
        synchronize.run();
        List<String> tables = nodes.get(0)
                .queryRows(
                        "SELECT t.name FROM (SELECT format('%I.%I', schema_name, table_name) FROM ddlrep.replicated_table)"
                                + " t(name) WHERE to_regclass(t.name) IS NOT NULL ORDER BY 1");
        for (String table : tables) {
            String digest = "SELECT count(*), coalesce(sum(hashtextextended(r::text, 0)::numeric), 0) FROM ONLY "
                    + table + " r";
            List<String> origin = nodes.get(0).queryRows(digest);
            for (PgNode node : nodes.subList(1, nodes.size())) {
                List<String> there = node.queryRows(digest);
                if (!there.equals(origin) && known.add(node.name() + ": rows of " + table)) {
                    String detail = node.name() + ": rows of " + table + ": " + there + ", on the origin " + origin;
                    verdicts.add(new Verdict(file, 0, Kind.WRONG, "(rows at the end of the file)", detail));
                }
            }
        }
    }

    /** What differs between the nodes now and did not before, a line for each node. */
    private List<String> differences() {
        List<CatalogDump> dumps = dumps();
        List<String> lines = new ArrayList<>();
        CatalogDump origin = dumps.get(0);
        for (int i = 1; i < dumps.size(); i++) {
            if (origin.equals(dumps.get(i))) {
                continue;
            }
            String node = nodes.get(i).name() + ": ";
            List<String> fresh = origin.difference(dumps.get(i)).stream()
                    .filter(d -> known.add(node + d))
                    .toList();
            if (!fresh.isEmpty()) {
                lines.add(node + String.join(" | ", fresh.subList(0, Math.min(4, fresh.size()))));
            }
        }
        return lines;
    }

    /** All nodes at once: reading them is what a run takes longest over. */
    private List<CatalogDump> dumps() {
        CatalogDump[] dumps = new CatalogDump[watchers.size()];
        List<Runnable> readings = new ArrayList<>();
        for (int i = 0; i < dumps.length; i++) {
            int node = i;
            readings.add(() -> dumps[node] = dump(watchers.get(node)));
        }
        new Fan(readers).all(readings);
        return List.of(dumps);
    }

    private static CatalogDump dump(Connection watcher) {
        try {
            return CatalogDump.of(watcher);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot read the catalogs of a node", e);
        }
    }

    @Override
    public void close() throws SQLException {
        readers.shutdownNow();
        for (Connection watcher : watchers) {
            watcher.close();
        }
        alone.close();
        group.close();
    }
}
