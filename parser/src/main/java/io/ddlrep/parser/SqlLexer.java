package io.ddlrep.parser;

import io.ddlrep.parser.internal.CharClasses;

/**
 * Cuts a text into tokens exactly as PostgreSQL's scanner does (src/backend/parser/scan.l, versions 14 to 18). White
 * space and comments are skipped. Moves from token to token without allocating; never throws and always ends, whatever
 * the text: an unfinished string or comment reaches to the end of the text.
 *
 * <p>One thread at a time. Offsets are UTF-16 units.
 */
public final class SqlLexer {
    private final String sql;
    private final int limit;
    private final boolean standardStrings;

    private TokenType type = TokenType.END;
    private int start;
    private int end;
    private boolean unterminated;

    /** A lexer over a whole text. */
    public SqlLexer(String sql, ParserOptions options) {
        this(sql, 0, sql.length(), options.standardConformingStrings());
    }

    /**
     * A lexer over a part of a text.
     *
     * @param sql the text
     * @param from where to begin; must not be inside a token
     * @param limit where to end
     * @param standardStrings whether a backslash in {@code '…'} is an ordinary character
     */
    public SqlLexer(String sql, int from, int limit, boolean standardStrings) {
        this.sql = sql;
        this.limit = limit;
        this.standardStrings = standardStrings;
        this.start = from;
        this.end = from;
    }

    /** The type of the current token; {@link TokenType#END} before the first and behind the last. */
    public TokenType type() {
        return type;
    }

    /** Where the current token starts. */
    public int start() {
        return start;
    }

    /** Where the current token ends (exclusive). */
    public int end() {
        return end;
    }

    /** Whether a string, quoted identifier or comment was met that does not end. */
    public boolean unterminated() {
        return unterminated;
    }

    /** Whether the current token is this keyword, written in any case. */
    public boolean isWord(String upperCase) {
        return type == TokenType.WORD && CharClasses.sameWord(sql, start, end, upperCase);
    }

    /** Whether the current token is this one character of punctuation. */
    public boolean isSymbol(char c) {
        return type == TokenType.SYMBOL && end == start + 1 && sql.charAt(start) == c;
    }

    /** Goes to the next token and tells its type. */
    public TokenType next() {
        start = skipBlanks(end);
        if (start >= limit) {
            start = limit;
            end = limit;
            type = TokenType.END;
            return type;
        }
        char c = sql.charAt(start);
        if (CharClasses.startsIdentifier(c)) {
            word(c);
        } else if (c == '\'') {
            string(standardStrings ? TokenType.STRING : TokenType.ESCAPE_STRING, start + 1);
        } else if (c == '"') {
            quotedIdentifier(TokenType.QUOTED_IDENTIFIER, start + 1);
        } else if (CharClasses.isDigit(c) || (c == '.' && CharClasses.isDigit(at(start + 1)))) {
            number();
        } else if (c == '$') {
            dollar();
        } else if (CharClasses.isOperator(c)) {
            operator();
        } else {
            symbol(c);
        }
        return type;
    }

    private char at(int index) {
        return index < limit ? sql.charAt(index) : '\0';
    }

    private void token(TokenType found, int endsAt) {
        type = found;
        end = Math.min(endsAt, limit);
    }

    private int skipBlanks(int from) {
        int i = from;
        while (i < limit) {
            char c = sql.charAt(i);
            if (CharClasses.isSpace(c)) {
                i++;
            } else if (c == '-' && at(i + 1) == '-') {
                i = CharClasses.endOfLine(sql, i, limit);
            } else if (c == '/' && at(i + 1) == '*') {
                int after = CharClasses.endOfComment(sql, i, limit);
                unterminated |= after < 0;
                i = after < 0 ? limit : after;
            } else {
                return i;
            }
        }
        return limit;
    }

    private void word(char first) {
        char second = at(start + 1);
        if (second == '\'') {
            switch (first) {
                case 'e', 'E' -> string(TokenType.ESCAPE_STRING, start + 2);
                case 'b', 'B' -> string(TokenType.BIT_STRING, start + 2);
                case 'x', 'X' -> string(TokenType.HEX_STRING, start + 2);
                default -> token(TokenType.WORD, start + 1);
            }
            return;
        }
        if (second == '&' && (first == 'u' || first == 'U')) {
            char third = at(start + 2);
            if (third == '\'') {
                string(TokenType.UNICODE_STRING, start + 3);
                return;
            }
            if (third == '"') {
                quotedIdentifier(TokenType.UNICODE_IDENTIFIER, start + 3);
                return;
            }
        }
        int i = start + 1;
        while (i < limit && CharClasses.continuesIdentifier(sql.charAt(i))) {
            i++;
        }
        token(TokenType.WORD, i);
    }

    private void quotedIdentifier(TokenType found, int from) {
        int i = from;
        while (i < limit) {
            if (sql.charAt(i) != '"') {
                i++;
            } else if (at(i + 1) == '"') {
                i += 2;
            } else {
                token(found, i + 1);
                return;
            }
        }
        unterminated = true;
        token(found, limit);
    }

    private void string(TokenType found, int from) {
        boolean escapes = found == TokenType.ESCAPE_STRING;
        boolean doubles = found != TokenType.BIT_STRING && found != TokenType.HEX_STRING;
        int i = from;
        while (i < limit) {
            char c = sql.charAt(i);
            if (c == '\\' && escapes) {
                i += 2;
            } else if (c != '\'') {
                i++;
            } else if (doubles && at(i + 1) == '\'') {
                i += 2;
            } else {
                int continued = continuation(i + 1);
                if (continued < 0) {
                    token(found, i + 1);
                    return;
                }
                i = continued;
            }
        }
        unterminated = true;
        token(found, limit);
    }

    /** A string goes on where only white space with a new line in it, and line comments, stand before the next quote. */
    private int continuation(int from) {
        boolean newLine = false;
        int i = from;
        while (i < limit) {
            char c = sql.charAt(i);
            if (c == '\'') {
                return newLine ? i + 1 : -1;
            } else if (CharClasses.isSpace(c)) {
                newLine |= c == '\n' || c == '\r';
                i++;
            } else if (c == '-' && at(i + 1) == '-') {
                i = CharClasses.endOfLine(sql, i, limit);
            } else {
                return -1;
            }
        }
        return -1;
    }

    private void dollar() {
        int i = start + 1;
        if (CharClasses.isDigit(at(i))) {
            while (CharClasses.isDigit(at(i))) {
                i++;
            }
            token(TokenType.PARAMETER, i);
            return;
        }
        if (i < limit && CharClasses.startsIdentifier(sql.charAt(i))) {
            while (i < limit && sql.charAt(i) != '$' && CharClasses.continuesIdentifier(sql.charAt(i))) {
                i++;
            }
        }
        if (at(i) != '$') {
            token(TokenType.UNKNOWN, start + 1);
            return;
        }
        int tag = i + 1 - start;
        for (int close = i + 1; close + tag <= limit; close++) {
            if (sql.charAt(close) == '$' && sql.regionMatches(close, sql, start, tag)) {
                token(TokenType.DOLLAR_STRING, close + tag);
                return;
            }
        }
        unterminated = true;
        token(TokenType.DOLLAR_STRING, limit);
    }

    private void number() {
        int radix = sql.charAt(start) == '0' ? radix(at(start + 1)) : 0;
        int first = at(start + 2) == '_' ? start + 3 : start + 2;
        if (radix > 0 && isDigit(first, radix)) {
            token(TokenType.NUMBER, digits(first, radix));
            return;
        }
        int i = digits(start, 10);
        if (at(i) == '.' && at(i + 1) != '.') {
            i = digits(i + 1, 10);
        }
        if (at(i) == 'e' || at(i) == 'E') {
            int sign = at(i + 1) == '+' || at(i + 1) == '-' ? 1 : 0;
            if (CharClasses.isDigit(at(i + 1 + sign))) {
                i = digits(i + 1 + sign, 10);
            }
        }
        token(TokenType.NUMBER, i);
    }

    /** Of {@code 0x1F}, {@code 0o17}, {@code 0b01} (since 16). */
    private static int radix(char letter) {
        return switch (letter) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            case 'b', 'B' -> 2;
            default -> 0;
        };
    }

    /** Digits of a radix, with single underscores between them (since 16). */
    private int digits(int from, int radix) {
        int i = from;
        while (isDigit(i, radix) || (i > from && at(i) == '_' && isDigit(i + 1, radix))) {
            i++;
        }
        return i;
    }

    private boolean isDigit(int index, int radix) {
        char c = at(index);
        return c < 128 && Character.digit(c, radix) >= 0;
    }

    /** The longest run of operator characters that holds no comment start; a trailing sign mostly is its own token. */
    private void operator() {
        int i = start;
        boolean mayEndInSign = false;
        while (i < limit && CharClasses.isOperator(sql.charAt(i))) {
            char c = sql.charAt(i);
            if (i > start && CharClasses.startsComment(c, at(i + 1))) {
                break;
            }
            mayEndInSign |= CharClasses.allowsTrailingSign(c);
            i++;
        }
        while (!mayEndInSign && i > start + 1 && (sql.charAt(i - 1) == '+' || sql.charAt(i - 1) == '-')) {
            i--;
        }
        token(TokenType.OPERATOR, i);
    }

    private void symbol(char c) {
        char second = at(start + 1);
        switch (c) {
            case ',', '(', ')', '[', ']', ';' -> token(TokenType.SYMBOL, start + 1);
            case '.' -> token(TokenType.SYMBOL, second == '.' ? start + 2 : start + 1);
            case ':' -> token(TokenType.SYMBOL, second == ':' || second == '=' ? start + 2 : start + 1);
            default -> token(TokenType.UNKNOWN, start + 1);
        }
    }
}
