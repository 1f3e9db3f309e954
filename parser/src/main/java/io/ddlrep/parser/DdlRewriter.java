package io.ddlrep.parser;

import java.util.EnumSet;
import java.util.List;
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
     * @param options how strings are read in it
     * @throws IllegalArgumentException where the statement has no such form
     */
    public static Statement.Ddl withoutConcurrently(Statement.Ddl ddl, ParserOptions options) {
        boolean detaches = ddl.tag().equals("ALTER TABLE");
        SqlLexer lexer = new SqlLexer(ddl.text(), options);
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
        List<Statement> read = SqlParser.parse(text, options);
        if (read.size() == 1
                && read.get(0) instanceof Statement.Ddl plain
                && plain.transactability() == Transactability.ALLOWED
                && plain.tag().equals(ddl.tag())
                && plain.objects().equals(ddl.objects())
                && plain.facts().equals(facts)) {
            return plain;
        }
        throw new IllegalArgumentException("no form of this runs in a transaction block: " + ddl.text());
    }
}
