package io.ddlrep.parser.internal;

import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.TokenType;

/**
 * Walks a text statement by statement, as the server's grammar separates them: a semicolon ends a statement unless it
 * stands in parentheses (CREATE RULE) or in BEGIN ATOMIC … END.
 *
 * <p>A body opens only in CREATE [OR REPLACE] FUNCTION or PROCEDURE, outside of parentheses, at the adjacent words BEGIN
 * ATOMIC, and closes at an END directly behind a semicolon or ATOMIC: so CASE … END, a label or a column named
 * {@code end} or {@code begin} need no counting. A routine made inside a body may have a body of its own.
 *
 * <p>SET standard_conforming_strings is followed for the statements behind it. One thread at a time.
 */
public final class StatementSplitter {
    private final String sql;
    private final TokenList tokens;
    private SqlLexer lexer;
    private boolean standardStrings;

    private int depth;
    private int bodies;
    private int statementStart;

    /** A splitter before the first statement. */
    public StatementSplitter(String sql, boolean standardStrings) {
        this.sql = sql;
        this.standardStrings = standardStrings;
        this.tokens = new TokenList(sql);
        this.lexer = new SqlLexer(sql, 0, sql.length(), standardStrings);
    }

    /** The tokens of the current statement; they change with {@link #next}. */
    public TokenList tokens() {
        return tokens;
    }

    /** Whether the text ended inside a string, a quoted identifier or a comment. */
    public boolean unterminated() {
        return lexer.unterminated();
    }

    /**
     * Goes to the next statement that is not empty.
     *
     * @return false where there is none
     */
    public boolean next() {
        followStringSetting();
        tokens.clear(standardStrings);
        depth = 0;
        bodies = 0;
        statementStart = 0;
        while (lexer.next() != TokenType.END) {
            if (!lexer.isSymbol(';')) {
                tokens.add(lexer);
                count();
            } else if (depth > 0 || bodies > 0) {
                tokens.add(lexer);
                statementStart = tokens.size();
            } else if (tokens.size() > 0) {
                return true;
            }
        }
        return tokens.size() > 0;
    }

    private void count() {
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

    /** SET [SESSION | LOCAL] standard_conforming_strings { TO | = } value, or RESET, or SET … TO DEFAULT. */
    private void followStringSetting() {
        int i = 1;
        if (!tokens.isWord(0, "SET")) {
            return;
        }
        if (tokens.isWord(i, "SESSION") || tokens.isWord(i, "LOCAL")) {
            i++;
        }
        boolean assigned = tokens.isWord(i + 1, "TO") || tokens.isText(i + 1, "=");
        if (!tokens.isWord(i, "STANDARD_CONFORMING_STRINGS") || !assigned || tokens.size() != i + 3) {
            return;
        }
        Boolean value = BooleanWords.parse(tokens.text(i + 2));
        if (value != null && value != standardStrings) {
            standardStrings = value;
            lexer = new SqlLexer(sql, lexer.end(), sql.length(), standardStrings);
        }
    }
}
