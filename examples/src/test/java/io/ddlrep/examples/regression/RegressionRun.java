package io.ddlrep.examples.regression;

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
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script's statements on a database without ddlrep and on the nodes of a group, side by side, and compares the nodes
 * after each statement that may have changed them. Used by one thread.
 */
final class RegressionRun implements AutoCloseable {
    private static final ParserOptions OPTIONS = new ParserOptions(true);

    private final Side alone;
    private final Side group;
    private final List<PgNode> nodes;
    private final List<Connection> watchers = new ArrayList<>();
    private final List<Verdict> verdicts;
    private final String file;
    /** Differences that were there before, so that each is told once. */
    private final Set<String> known;
    /** Statements of the transaction that the group has lost and the other database has not. */
    private final List<String> lost = new ArrayList<>();

    private final List<String> transaction = new ArrayList<>();
    private boolean behind;

    /** What came of one DDL statement that a single database accepts. */
    enum Kind {
        EQUAL,
        REFUSED,
        WRONG,
        BROKEN,
        SKIPPED
    }

    /** A judgement. */
    record Verdict(String file, int line, Kind kind, String statement, String detail) {}

    RegressionRun(String file, Side alone, Side group, List<PgNode> nodes, Set<String> known, List<Verdict> verdicts)
            throws SQLException {
        this.file = file;
        this.alone = alone;
        this.group = group;
        this.nodes = nodes;
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
            if (step.send() == Psql.Send.GDESC) {
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
    }

    private Side.Outcome step(Psql.Step step, String data) throws SQLException {
        boolean ddl = SqlParser.parse(step.text(), OPTIONS).stream().anyMatch(s -> s instanceof Statement.Ddl);
        boolean mayChange = ddl
                || SqlParser.parse(step.text(), OPTIONS).stream()
                        .anyMatch(s -> s.kind() == StatementKind.OPAQUE || s.kind() == StatementKind.UNCLASSIFIED);
        Side.Outcome expected = alone.run(step.text(), data);
        transaction.add(step.text());
        Side.Outcome seen = null;
        if (!behind) {
            seen = group.run(step.text(), data);
            if (expected.ok() && !seen.ok()) {
                disagree(step, seen);
            } else if (!expected.ok() && seen.ok()) {
                verdicts.add(new Verdict(
                        file,
                        step.line(),
                        Kind.BROKEN,
                        step.text(),
                        "accepted, but alone: " + expected.state() + " " + expected.message()));
            } else if (!expected.ok() && !seen.ok() && ddl) {
                if (!expected.state().equals(seen.state())) {
                    verdicts.add(new Verdict(
                            file,
                            step.line(),
                            Kind.SKIPPED,
                            step.text(),
                            "other error; alone: " + expected.state() + " " + expected.message() + "; here: "
                                    + seen.state() + " " + seen.message()));
                }
            }
        } else if (ddl && expected.ok()) {
            verdicts.add(new Verdict(file, step.line(), Kind.SKIPPED, step.text(), "transaction lost"));
        }
        if (alone.isIdle()) {
            if (behind) {
                catchUp();
                // What the nodes made of it, each for itself, is not ddlrep's doing.
                differences();
            }
            transaction.clear();
        }
        if (ddl && expected.ok() && seen != null && seen.ok()) {
            verdicts.add(new Verdict(file, step.line(), Kind.EQUAL, step.text(), ""));
        }
        if ((mayChange || lost.isEmpty()) && alone.isIdle() && (mayChange || isEnd(step.text()))) {
            compare(step.line(), step.text());
        }
        return expected;
    }

    private static boolean isEnd(String sql) {
        return SqlParser.parse(sql, OPTIONS).stream().anyMatch(s -> s.kind() == StatementKind.TRANSACTION_CONTROL);
    }

    private void disagree(Psql.Step step, Side.Outcome seen) throws SQLException {
        boolean refused = seen.state().equals("0A000")
                || (seen.state().equals("55000") && seen.message().contains("ddlrep"));
        verdicts.add(new Verdict(
                file,
                step.line(),
                refused ? Kind.REFUSED : Kind.BROKEN,
                step.text(),
                seen.state() + " " + seen.message()));
        behind = true;
        if (!group.isIdle()) {
            group.run("ROLLBACK", "");
        }
    }

    /** What the group has refused, or met an error in, is done on each node alone, so that what follows has its objects. */
    private void catchUp() throws SQLException {
        behind = false;
        for (PgNode node : nodes) {
            try (Side side = new Side(user -> node.connect())) {
                side.run("SET ddlrep.replicate = off", "");
                for (String sql : transaction) {
                    side.run(sql, "");
                }
            }
        }
    }

    private void compare(int line, String statement) throws SQLException {
        for (String difference : differences()) {
            verdicts.add(new Verdict(file, line, Kind.WRONG, statement, difference));
        }
    }

    /** What differs between the nodes now and did not before, a line for each node. */
    private List<String> differences() throws SQLException {
        List<String> lines = new ArrayList<>();
        CatalogDump origin = CatalogDump.of(watchers.get(0));
        for (int i = 1; i < watchers.size(); i++) {
            String node = nodes.get(i).name() + ": ";
            List<String> fresh = origin.difference(CatalogDump.of(watchers.get(i))).stream()
                    .filter(d -> known.add(node + d))
                    .toList();
            if (!fresh.isEmpty()) {
                lines.add(node + String.join(" | ", fresh.subList(0, Math.min(4, fresh.size()))));
            }
        }
        return lines;
    }

    @Override
    public void close() throws SQLException {
        for (Connection watcher : watchers) {
            watcher.close();
        }
        alone.close();
        group.close();
    }
}
