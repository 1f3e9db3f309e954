package io.ddlrep.parser;

import io.ddlrep.parser.internal.TokenList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Changes statements by cutting their text, never by writing them anew: what is not understood stays as it was. Each result
 * is read again and compared. Stateless and thread-safe.
 */
public final class DdlRewriter {
    private DdlRewriter() {}

    /**
     * The form of DROP INDEX CONCURRENTLY, DETACH PARTITION … CONCURRENTLY or REFRESH MATERIALIZED VIEW CONCURRENTLY that locks
     * readers out, and that runs in a transaction block and can be prepared.
     *
     * @param ddl the statement
     * @throws IllegalArgumentException where the statement has no such form
     */
    public static Statement.Ddl withoutConcurrently(Statement.Ddl ddl) {
        boolean detaches = ddl.tag().equals("ALTER TABLE");
        SqlLexer lexer = new SqlLexer(ddl.text(), ddl.options());
        int start = -1;
        int end = -1;
        // The name of what is dropped may be the same word behind it, the name of what is detached before it.
        while (lexer.next() != TokenType.END && (detaches || start < 0)) {
            if (lexer.isWord("CONCURRENTLY")) {
                start = lexer.start();
                end = lexer.end();
            }
        }
        String text = start < 0
                ? ddl.text()
                : (ddl.text().substring(0, start) + ddl.text().substring(end)).strip();
        Set<DdlFact> facts = EnumSet.noneOf(DdlFact.class);
        facts.addAll(ddl.facts());
        facts.remove(DdlFact.CONCURRENTLY);
        return read(text, ddl, facts);
    }

    /** The new text as a statement, which must name the same as the old one, have these facts, and run in a transaction block. */
    private static Statement.Ddl read(String text, Statement.Ddl old, Set<DdlFact> facts) {
        List<Statement> read = SqlParser.parse(text, old.options());
        if (read.size() == 1
                && read.get(0) instanceof Statement.Ddl changed
                && changed.transactability() == Transactability.ALLOWED
                && changed.tag().equals(old.tag())
                && changed.objects().equals(old.objects())
                && changed.facts().equals(facts)) {
            return changed;
        }
        throw new IllegalArgumentException("no form of this runs in a transaction block: " + old.text());
    }

    /**
     * The statement with other bounds of its partition.
     *
     * @param ddl CREATE TABLE … PARTITION OF, or ALTER TABLE … ATTACH PARTITION, with FOR VALUES
     * @param bound the bounds with their words, as {@code pg_get_expr} writes them
     * @throws IllegalArgumentException where the statement has no bounds
     */
    public static String withPartitionBound(Statement.Ddl ddl, String bound) {
        TokenList tokens = TokenList.of(ddl);
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isWord(i, "FOR") && tokens.isWord(i + 1, "VALUES")) {
                // IN (…), WITH (…), or FROM (…) TO (…).
                int end = closing(tokens, i + 2);
                if (tokens.isWord(i + 2, "FROM")) {
                    end = closing(tokens, end + 1);
                }
                String text = ddl.text().substring(0, tokens.start(i))
                        + bound
                        + ddl.text().substring(tokens.end(end));
                return read(text, ddl, ddl.facts()).text();
            }
        }
        throw new IllegalArgumentException("no bounds of a partition: " + ddl.text());
    }

    /**
     * The statement with other texts in the place of some of its expressions.
     *
     * @param ddl the statement
     * @param texts by expression of the statement
     * @throws IllegalArgumentException where the result would be another statement
     */
    public static String withExpressions(Statement.Ddl ddl, Map<Expression, String> texts) {
        StringBuilder changed = new StringBuilder(ddl.text());
        List<Expression> backwards = texts.keySet().stream()
                .sorted(Comparator.comparingInt((Expression e) -> e.span().start())
                        .reversed())
                .toList();
        for (Expression each : backwards) {
            changed.replace(each.span().start(), each.span().end(), Objects.requireNonNull(texts.get(each)));
        }
        Statement.Ddl read = read(changed.toString(), ddl, ddl.facts());
        if (read.expressions().size() != ddl.expressions().size()) {
            throw new IllegalArgumentException("an expression that does not end where it seemed to: " + ddl.text());
        }
        return read.text();
    }

    /**
     * The text before the database that the statement names, and the text behind it.
     *
     * @param ddl GRANT or REVOKE … ON DATABASE
     * @return two texts; none where it names another number of databases than one
     */
    public static List<String> aroundDatabase(Statement.Ddl ddl) {
        TokenList tokens = TokenList.of(ddl);
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (tokens.isWord(i, "ON") && tokens.isWord(i + 1, "DATABASE")) {
                return tokens.isSymbol(i + 3, ',')
                        ? List.of()
                        : List.of(
                                ddl.text().substring(0, tokens.start(i + 2)),
                                ddl.text().substring(tokens.end(i + 2)));
            }
        }
        return List.of();
    }

    private static int closing(TokenList tokens, int from) {
        int depth = 0;
        for (int i = from; i < tokens.size(); i++) {
            if (tokens.isSymbol(i, '(')) {
                depth++;
            } else if (tokens.isSymbol(i, ')') && --depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("bounds of a partition that do not end");
    }
}
