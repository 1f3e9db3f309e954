package io.ddlrep.parser.internal;

import io.ddlrep.parser.SqlLexer;

/**
 * How deep a token stands in its statement, as the server's grammar sees it: a semicolon ends a statement unless it stands
 * in parentheses (CREATE RULE) or in BEGIN ATOMIC … END.
 *
 * <p>A body opens only in CREATE [OR REPLACE] FUNCTION or PROCEDURE, outside of parentheses, at the adjacent words BEGIN
 * ATOMIC, and closes at an END directly behind a semicolon or ATOMIC: so CASE … END, a label or a column named
 * {@code end} or {@code begin} need no counting. A routine made inside a body may have a body of its own. One thread at a
 * time.
 */
public final class Nesting {
    private final TokenList tokens;
    private int depth;
    private int bodies;
    private int statementStart;

    /** At the start of the statement whose tokens are put into this list. */
    public Nesting(TokenList tokens) {
        this.tokens = tokens;
    }

    /** Back to the start of a statement. */
    public void clear() {
        depth = 0;
        bodies = 0;
        statementStart = 0;
    }

    /** Whether a semicolon here is a part of the statement. */
    public boolean isInside() {
        return depth > 0 || bodies > 0;
    }

    /** The last token of the list is a semicolon that does not end the text. */
    public void separator() {
        statementStart = tokens.size();
    }

    /** Counts the last token of the list, which the lexer stands at; no semicolon. */
    public void count(SqlLexer lexer) {
        int last = tokens.size() - 1;
        if (lexer.isSymbol('(')) {
            depth++;
        } else if (lexer.isSymbol(')')) {
            depth = Math.max(0, depth - 1);
        } else if (depth > 0) {
            return;
        } else if (lexer.isWord("ATOMIC") && tokens.isWord(last - 1, "BEGIN") && makesRoutine()) {
            bodies++;
            statementStart = last + 1;
        } else if (bodies > 0 && last == statementStart && lexer.isWord("END")) {
            bodies--;
            statementStart = -1;
        }
    }

    private boolean makesRoutine() {
        int i = statementStart;
        if (i < 0 || !tokens.isWord(i, "CREATE")) {
            return false;
        }
        i++;
        if (tokens.isWord(i, "OR") && tokens.isWord(i + 1, "REPLACE")) {
            i += 2;
        }
        return tokens.isWord(i, "FUNCTION") || tokens.isWord(i, "PROCEDURE");
    }
}
