package io.ddlrep.driver.session;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.FastPath;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SourceSpan;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.StatementKind;
import io.ddlrep.parser.Transactability;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.NativeQuery;
import org.postgresql.core.Parser;

/**
 * A text that holds DDL or transaction control, with its statements. Texts without either are never made into one: they
 * pass. Immutable.
 *
 * @param sql the text as the client gave it
 * @param statements its statements in order
 * @param ddl whether one of them is DDL of more than a temporary object
 */
public record SqlText(String sql, List<Statement> statements, boolean ddl) {
    /** The text, or null where it holds neither DDL nor transaction control. */
    static @Nullable SqlText of(String sql, ParserOptions options) {
        if (FastPath.look(sql) == FastPath.Verdict.PASS) {
            return null;
        }
        List<Statement> statements = SqlParser.parse(sql, options);
        boolean ddl = statements.stream().anyMatch(SqlText::concernsOthers);
        boolean control = statements.stream().anyMatch(statement -> statement instanceof Statement.TransactionControl);
        return ddl || control ? new SqlText(sql, statements, ddl) : null;
    }

    /** A single statement that is no DDL, but runs code that is; null where the text holds more. */
    static @Nullable SqlText ofCode(String sql, ParserOptions options) {
        List<Statement> statements = SqlParser.parse(sql, options);
        return statements.size() == 1 ? new SqlText(sql, statements, false) : null;
    }

    /** What makes a temporary object is the session's own, and needs no engine. */
    private static boolean concernsOthers(Statement statement) {
        return statement instanceof Statement.Ddl ddl && !ddl.facts().contains(DdlFact.TEMPORARY);
    }

    /** A text that holds neither, as one entry of a batch that does. */
    public static SqlText passing(String sql) {
        SourceSpan whole = new SourceSpan(0, sql.length(), 0, 0);
        return new SqlText(
                sql,
                List.of(new Statement.Other(
                        whole, sql, "?", StatementKind.UNCLASSIFIED, Transactability.ALLOWED, ParserOptions.DEFAULT)),
                false);
    }

    /** The statements as pieces, for one entry of a batch or for the text on its own. */
    public List<Piece> pieces(int entry) {
        List<Piece> pieces = new ArrayList<>();
        for (int number = 0; number < statements.size(); number++) {
            pieces.add(Piece.of(entry, this, number));
        }
        return pieces;
    }

    /** Several prepared statements in one text run one by one, and nobody could say whose a parameter is. */
    public void requireNoParameters() throws SQLException {
        for (NativeQuery query : Parser.parseJdbcSql(sql, true, true, true, false, false)) {
            if (query.bindPositions.length > 0) {
                throw Failures.refusal("55000", "a prepared text with DDL and other statements cannot have parameters");
            }
        }
    }

    /** Whether the text is one statement. */
    public boolean isSingle() {
        return statements.size() == 1;
    }

    /**
     * Where the text of a statement begins for pgjdbc, which cuts at the semicolon: with the comments and white space
     * before the first token. Positions of errors count from there.
     */
    int pieceStart(int number) {
        int from = number == 0 ? 0 : statements.get(number - 1).span().end();
        int start = from;
        int next =
                number == 0 ? -1 : semicolon(from, statements.get(number).span().start());
        while (next >= 0) {
            start = next + 1;
            next = semicolon(start, statements.get(number).span().start());
        }
        return start;
    }

    /** Where it ends: behind its semicolon, which the server sees where pgjdbc does not cut. */
    int pieceEnd(int number) {
        boolean last = number == statements.size() - 1;
        int end = statements.get(number).span().end();
        int found = last ? -1 : semicolon(end, statements.get(number + 1).span().start());
        return last ? sql.length() : found < 0 ? end : found + 1;
    }

    /** The first semicolon in a stretch of white space and comments, or -1. */
    private int semicolon(int from, int to) {
        int i = from;
        while (i < to) {
            char c = sql.charAt(i);
            if (c == ';') {
                return i;
            }
            if (c == '-' && sql.startsWith("--", i)) {
                i = lineEnd(i, to);
            } else if (c == '/' && sql.startsWith("/*", i)) {
                i = commentEnd(i, to);
            } else {
                i++;
            }
        }
        return -1;
    }

    private int lineEnd(int from, int to) {
        int end = sql.indexOf('\n', from);
        return end < 0 ? to : Math.min(end, to);
    }

    private int commentEnd(int from, int to) {
        int depth = 0;
        int i = from;
        while (i < to) {
            if (sql.startsWith("/*", i)) {
                depth++;
                i += 2;
            } else if (sql.startsWith("*/", i)) {
                depth--;
                i += 2;
                if (depth == 0) {
                    return i;
                }
            } else {
                i++;
            }
        }
        return to;
    }
}
