package io.ddlrep.parser.internal;

import io.ddlrep.parser.Identifiers;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.TokenType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place among the tokens of one statement. Moves forward, never throws at the end. One thread at a time. */
public final class Cursor {
    private final TokenList tokens;
    private final int limit;
    private int at;

    /** A cursor at a token, which sees nothing beyond the limit. */
    public Cursor(TokenList tokens, int from, int limit) {
        this.tokens = tokens;
        this.limit = Math.min(limit, tokens.size());
        this.at = from;
    }

    /** A cursor over a range of the same tokens. */
    public Cursor over(int from, int to) {
        return new Cursor(tokens, from, Math.min(to, limit));
    }

    /** The tokens. */
    public TokenList tokens() {
        return tokens;
    }

    /** The index of the current token. */
    public int index() {
        return at;
    }

    /** The index behind the last token that this cursor sees. */
    public int limit() {
        return limit;
    }

    /** Goes to a token. */
    public void moveTo(int index) {
        at = index;
    }

    /** Whether all tokens are read. */
    public boolean done() {
        return at >= limit;
    }

    /** The type of the current token; END when all are read. */
    public TokenType type() {
        return done() ? TokenType.END : tokens.type(at);
    }

    /** The current keyword in upper case; empty for anything else. */
    public String word() {
        return done() ? "" : tokens.word(at);
    }

    /** Whether the current token is this keyword. */
    public boolean at(String word) {
        return at(0, word);
    }

    /** Whether the token so many places ahead is this keyword. */
    public boolean at(int ahead, String word) {
        return at + ahead < limit && tokens.isWord(at + ahead, word);
    }

    /** Whether the current token is this character. */
    public boolean atSymbol(char c) {
        return atSymbol(0, c);
    }

    /** Whether the token so many places ahead is this character. */
    public boolean atSymbol(int ahead, char c) {
        return at + ahead < limit && tokens.isSymbol(at + ahead, c);
    }

    /** Whether the current token can be a name, which any keyword can too. */
    public boolean atName() {
        return isName(type());
    }

    private static boolean isName(TokenType type) {
        return type == TokenType.WORD || type == TokenType.QUOTED_IDENTIFIER || type == TokenType.UNICODE_IDENTIFIER;
    }

    /** Passes over one token. */
    public void skip() {
        at++;
    }

    /** Passes over this keyword if it stands here. */
    public boolean accept(String word) {
        if (at(word)) {
            at++;
            return true;
        }
        return false;
    }

    /** Passes over these keywords if all of them stand here. */
    public boolean accept(String first, String second) {
        if (at(first) && at(1, second)) {
            at += 2;
            return true;
        }
        return false;
    }

    /** Passes over these keywords if all of them stand here. */
    public boolean accept(String first, String second, String third) {
        if (at(first) && at(1, second) && at(2, third)) {
            at += 3;
            return true;
        }
        return false;
    }

    /** Passes over the first of these keywords that stands here. */
    public boolean acceptAny(String... words) {
        for (String word : words) {
            if (accept(word)) {
                return true;
            }
        }
        return false;
    }

    /** Passes over this character if it stands here. */
    public boolean accept(char symbol) {
        if (atSymbol(symbol)) {
            at++;
            return true;
        }
        return false;
    }

    /** Passes over a token with this text, such as an operator. */
    public boolean acceptText(String text) {
        if (!done() && tokens.isText(at, text)) {
            at++;
            return true;
        }
        return false;
    }

    /** Reads one identifier; null where none stands here. */
    public @Nullable String identifier() {
        TokenType type = type();
        if (!isName(type)) {
            return null;
        }
        String text = tokens.text(at++);
        if (type == TokenType.WORD) {
            return Identifiers.fold(text);
        }
        if (type == TokenType.QUOTED_IDENTIFIER) {
            return Identifiers.unquote(text);
        }
        char escape = '\\';
        if (at("UESCAPE") && at + 1 < limit && tokens.text(at + 1).length() >= 3) {
            escape = tokens.text(at + 1).charAt(1);
            at += 2;
        }
        return Identifiers.decodeUnicode(text, escape);
    }

    /** Reads the identifiers of a dotted name; empty where none stands here. */
    public List<String> parts() {
        List<String> parts = new ArrayList<>(2);
        String part = identifier();
        while (part != null) {
            parts.add(part);
            part = accept('.') ? identifier() : null;
        }
        return parts;
    }

    /** Reads a name with or without its schema (a database before it is dropped); null where none stands here. */
    public @Nullable ObjectName name() {
        return nameOf(parts());
    }

    /** The name that these parts make; null for none. */
    public static @Nullable ObjectName nameOf(List<String> parts) {
        int size = parts.size();
        return size == 0 ? null : new ObjectName(size > 1 ? parts.get(size - 2) : null, parts.get(size - 1));
    }

    /** The index of the bracket that closes the one here, or the limit. */
    public int closing() {
        int depth = 0;
        for (int i = at; i < limit; i++) {
            if (tokens.isSymbol(i, '(') || tokens.isSymbol(i, '[')) {
                depth++;
            } else if (tokens.isSymbol(i, ')') || tokens.isSymbol(i, ']')) {
                depth--;
                if (depth <= 0) {
                    return i;
                }
            }
        }
        return limit;
    }

    /** Passes over a bracketed group if one stands here. */
    public boolean skipGroup() {
        if (atSymbol('(') || atSymbol('[')) {
            at = Math.min(closing() + 1, limit);
            return true;
        }
        return false;
    }

    /** Passes over the current token, or over the group that it opens. */
    public void skipItem() {
        if (!skipGroup()) {
            at++;
        }
    }

    /** Passes over everything up to a character outside of brackets, which stays unread. */
    public void skipTo(char symbol) {
        while (!done() && !atSymbol(symbol)) {
            skipItem();
        }
    }

    /** Passes over everything up to a keyword outside of brackets, which stays unread; false where there is none. */
    public boolean skipToWord(String word) {
        while (!done() && !at(word)) {
            skipItem();
        }
        return !done();
    }

    /** Passes over all that is left. */
    public void skipAll() {
        at = limit;
    }

    /** The text between two tokens, the first one and the one before {@code to}, exactly as written. */
    public String text(int from, int to) {
        return from < to ? tokens.sql().substring(tokens.start(from), tokens.end(to - 1)) : "";
    }

    /** Reads a bracketed group and gives its text with the brackets; null where none stands here. */
    public @Nullable String group() {
        int from = at;
        return skipGroup() ? text(from, at) : null;
    }
}
