package io.ddlrep.parser.internal;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.SourceSpan;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.StatementKind;
import io.ddlrep.parser.TokenType;
import io.ddlrep.parser.Transactability;
import io.ddlrep.parser.internal.CommandFinder.Found;
import io.ddlrep.parser.internal.ddl.DdlReader;
import io.ddlrep.parser.internal.ddl.Findings;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Statement} of the tokens of one statement. Stateless. */
public final class StatementClassifier {
    private static final String UNKNOWN_TAG = "?";

    private StatementClassifier() {}

    /**
     * Classifies one statement and, if it is DDL, reads what it touches.
     *
     * @param tokens its tokens, at least one
     * @param span where it stands
     * @param text its text
     * @param whole false where a string or comment in it does not end
     */
    public static Statement classify(TokenList tokens, SourceSpan span, String text, boolean whole) {
        Cursor cursor = new Cursor(tokens, 0, tokens.size());
        if (cursor.atSymbol('(') || cursor.at("SELECT") || cursor.at("WITH")) {
            return query(cursor, span, text, whole);
        }
        if (tokens.isText(0, "{") || tokens.isText(0, "?")) {
            return escape(cursor, span, text);
        }
        Found found = CommandFinder.find(tokens);
        if (found == null) {
            return unclassified(cursor, span, text);
        }
        SqlCommand command = found.command();
        cursor.moveTo(found.next());
        if (command == SqlCommand.PREPARE_TRANSACTION && !isString(cursor.type())) {
            command = SqlCommand.PREPARE;
        }
        return switch (command.kind()) {
            case DDL -> ddl(cursor, new Findings(tokens, command), span, text, whole);
            case TRANSACTION_CONTROL -> TransactionReader.read(command, cursor, span, text);
            default -> other(command, cursor, span, text);
        };
    }

    private static boolean isString(TokenType type) {
        return type == TokenType.STRING
                || type == TokenType.ESCAPE_STRING
                || type == TokenType.UNICODE_STRING
                || type == TokenType.DOLLAR_STRING;
    }

    private static Statement unclassified(Cursor cursor, SourceSpan span, String text) {
        return new Statement.Other(
                span,
                text,
                UNKNOWN_TAG,
                StatementKind.UNCLASSIFIED,
                Transactability.ALLOWED,
                cursor.tokens().options());
    }

    private static Statement query(Cursor cursor, SourceSpan span, String text, boolean whole) {
        QueryShape shape = QueryShape.of(cursor);
        if (shape == null) {
            return unclassified(cursor, span, text);
        }
        if (shape.into() >= 0) {
            Cursor all = cursor.over(0, cursor.limit());
            Findings findings = new Findings(cursor.tokens(), SqlCommand.SELECT_INTO);
            DdlReader.selectInto(all, shape.into(), findings);
            return made(findings, all, span, text, whole);
        }
        StatementKind kind = shape.writes() ? StatementKind.DML : StatementKind.QUERY;
        return new Statement.Other(
                span,
                text,
                shape.command().tag(),
                kind,
                Transactability.ALLOWED,
                cursor.tokens().options());
    }

    /** JDBC escapes: {call …} and {? = call …} run a routine; others are expressions that start no statement. */
    private static Statement escape(Cursor cursor, SourceSpan span, String text) {
        while (!cursor.done() && cursor.word().isEmpty()) {
            cursor.skip();
        }
        return cursor.at("CALL")
                ? new Statement.Other(
                        span,
                        text,
                        "CALL",
                        StatementKind.OPAQUE,
                        Transactability.ALLOWED,
                        cursor.tokens().options())
                : unclassified(cursor, span, text);
    }

    private static Statement ddl(Cursor cursor, Findings findings, SourceSpan span, String text, boolean whole) {
        Cursor rules = cursor.over(cursor.index(), cursor.limit());
        DdlReader.read(cursor, findings);
        return made(findings, rules, span, text, whole);
    }

    private static Statement made(Findings findings, Cursor rules, SourceSpan span, String text, boolean whole) {
        Transactability inBlock = BlockRules.of(findings.command(), rules, findings.facts());
        return new Statement.Ddl(
                span,
                text,
                findings.tag(),
                inBlock,
                findings.objects(),
                findings.expressions(),
                findings.facts(),
                findings.complete() && whole,
                rules.tokens().options());
    }

    private static Statement other(SqlCommand command, Cursor cursor, SourceSpan span, String text) {
        if (command == SqlCommand.DO && CodeBlock.mayChangeSchema(cursor)) {
            return new Statement.Ddl(
                    span,
                    text,
                    command.tag(),
                    Transactability.ALLOWED,
                    List.of(),
                    List.of(),
                    Set.of(),
                    false,
                    cursor.tokens().options());
        }
        if (command == SqlCommand.EXPLAIN && runs(cursor)) {
            Statement made = explained(cursor, span, text);
            if (made != null) {
                return made;
            }
        }
        Transactability inBlock = BlockRules.of(command, cursor.over(cursor.index(), cursor.limit()), Set.of());
        return new Statement.Other(
                span,
                text,
                tag(command, cursor),
                kind(command, cursor),
                inBlock,
                cursor.tokens().options());
    }

    /** EXPLAIN ANALYZE of what makes a table of a query makes it; no event trigger tells. Null for anything else. */
    private static @Nullable Statement explained(Cursor cursor, SourceSpan span, String text) {
        Cursor inner = cursor.over(cursor.index(), cursor.limit());
        inner.skipGroup();
        while (inner.acceptAny("ANALYZE", "ANALYSE", "VERBOSE")) {}
        if (inner.done()) {
            return null;
        }
        int start = inner.tokens().start(inner.index()) - cursor.tokens().start(0);
        List<Statement> statements =
                SqlParser.parse(text.substring(start), cursor.tokens().options());
        return statements.get(0) instanceof Statement.Ddl ddl && !ddl.facts().contains(DdlFact.TEMPORARY)
                ? new Statement.Ddl(
                        span,
                        text,
                        "EXPLAIN",
                        Transactability.ALLOWED,
                        ddl.objects(),
                        List.of(),
                        Set.of(),
                        false,
                        cursor.tokens().options())
                : null;
    }

    private static StatementKind kind(SqlCommand command, Cursor cursor) {
        return command == SqlCommand.EXPLAIN && runs(cursor) ? StatementKind.OPAQUE : command.kind();
    }

    /** EXPLAIN ANALYZE runs the statement, also when ANALYZE stands among options in parentheses. */
    private static boolean runs(Cursor cursor) {
        if (cursor.at("ANALYZE") || cursor.at("ANALYSE")) {
            return true;
        }
        if (!cursor.atSymbol('(')) {
            return false;
        }
        for (int i = cursor.index() + 1; i < cursor.closing(); i++) {
            TokenList tokens = cursor.tokens();
            if (tokens.isWord(i, "ANALYZE") || tokens.isWord(i, "ANALYSE")) {
                Boolean value = BooleanWords.parse(tokens.text(i + 1));
                if (value == null || value) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String tag(SqlCommand command, Cursor cursor) {
        return switch (command) {
            case DISCARD -> command.tag() + " " + (cursor.at("TEMPORARY") ? "TEMP" : cursor.word());
            case DEALLOCATE -> {
                cursor.accept("PREPARE");
                yield cursor.at("ALL") ? "DEALLOCATE ALL" : command.tag();
            }
            case CLOSE -> cursor.at("ALL") ? "CLOSE CURSOR ALL" : command.tag();
            default -> command.tag();
        };
    }
}
