package io.ddlrep.parser.internal;

import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.TokenType;
import java.util.Arrays;

/** The tokens of one statement, in arrays that are used again for the next. One thread at a time. */
public final class TokenList {
    private final String sql;
    private TokenType[] types = new TokenType[64];
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private int size;
    private boolean standardStrings = true;

    /** An empty list of tokens of this text. */
    public TokenList(String sql) {
        this.sql = sql;
    }

    /** All tokens of a text. */
    public static TokenList of(String sql, boolean standardStrings) {
        TokenList tokens = new TokenList(sql);
        tokens.clear(standardStrings);
        SqlLexer lexer = new SqlLexer(sql, 0, sql.length(), standardStrings);
        while (lexer.next() != TokenType.END) {
            tokens.add(lexer);
        }
        return tokens;
    }

    /** All tokens of a statement, read as it was when it was split off. */
    public static TokenList of(Statement statement) {
        return of(statement.text(), statement.options().standardConformingStrings());
    }

    void clear(boolean stringsAreStandard) {
        size = 0;
        standardStrings = stringsAreStandard;
    }

    /** How strings are read. */
    public ParserOptions options() {
        return standardStrings ? ParserOptions.DEFAULT : ParserOptions.ESCAPING;
    }

    /** Adds the token that a lexer stands at. */
    public void add(SqlLexer lexer) {
        if (size == starts.length) {
            types = Arrays.copyOf(types, size * 2);
            starts = Arrays.copyOf(starts, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
        }
        types[size] = lexer.type();
        starts[size] = lexer.start();
        ends[size] = lexer.end();
        size++;
    }

    /** The text that the tokens are of. */
    public String sql() {
        return sql;
    }

    /** How many tokens. */
    public int size() {
        return size;
    }

    /** The type of a token; END beyond the last. */
    public TokenType type(int index) {
        return index >= 0 && index < size ? types[index] : TokenType.END;
    }

    /** Where a token starts in the text. */
    public int start(int index) {
        return starts[index];
    }

    /** Where a token ends in the text. */
    public int end(int index) {
        return ends[index];
    }

    /** Whether a token is this keyword. */
    public boolean isWord(int index, String upperCase) {
        return type(index) == TokenType.WORD && CharClasses.sameWord(sql, starts[index], ends[index], upperCase);
    }

    /** Whether a token is this one character of punctuation. */
    public boolean isSymbol(int index, char c) {
        return type(index) == TokenType.SYMBOL && ends[index] == starts[index] + 1 && sql.charAt(starts[index]) == c;
    }

    /** Whether a token has exactly this text. */
    public boolean isText(int index, String text) {
        return index >= 0
                && index < size
                && ends[index] - starts[index] == text.length()
                && sql.startsWith(text, starts[index]);
    }

    /** The text of a token; empty beyond the last. */
    public String text(int index) {
        return index >= 0 && index < size ? sql.substring(starts[index], ends[index]) : "";
    }

    /** The text of a keyword in upper case; empty for anything but a word. */
    public String word(int index) {
        if (type(index) != TokenType.WORD) {
            return "";
        }
        char[] upper = new char[ends[index] - starts[index]];
        for (int i = 0; i < upper.length; i++) {
            upper[i] = CharClasses.upper(sql.charAt(starts[index] + i));
        }
        return new String(upper);
    }
}
