package io.ddlrep.parser.internal;

import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.TokenType;

/**
 * Walks a text statement by statement, as the server's grammar separates them (see {@link Nesting}). SET
 * standard_conforming_strings is followed for the statements behind it. One thread at a time.
 */
public final class StatementSplitter {
    private final String sql;
    private final TokenList tokens;
    private final Nesting nesting;
    private SqlLexer lexer;
    private boolean standardStrings;

    /** A splitter before the first statement. */
    public StatementSplitter(String sql, boolean standardStrings) {
        this.sql = sql;
        this.standardStrings = standardStrings;
        this.tokens = new TokenList(sql);
        this.nesting = new Nesting(tokens);
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
        nesting.clear();
        while (lexer.next() != TokenType.END) {
            if (!lexer.isSymbol(';')) {
                tokens.add(lexer);
                nesting.count(lexer);
            } else if (nesting.isInside()) {
                tokens.add(lexer);
                nesting.separator();
            } else if (tokens.size() > 0) {
                return true;
            }
        }
        return tokens.size() > 0;
    }

    private void followStringSetting() {
        Boolean value = StringSetting.of(tokens);
        if (value != null && value != standardStrings) {
            standardStrings = value;
            lexer = new SqlLexer(sql, lexer.end(), sql.length(), standardStrings);
        }
    }
}
