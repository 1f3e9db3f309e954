package io.ddlrep.parser.internal;

import io.ddlrep.parser.SqlCommand;
import org.jspecify.annotations.Nullable;

/**
 * What a statement that starts with SELECT, WITH or a parenthesis really is.
 *
 * @param command the main command
 * @param into the token INTO of SELECT … INTO, else -1
 * @param writes whether the main command or a WITH query changes rows
 */
record QueryShape(SqlCommand command, int into, boolean writes) {

    /** WITH inside of WITH: the server's own stack ends long before. */
    private static final int MAX_DEPTH = 100;

    /** Reads the shape; null where the text has none of a query. */
    static @Nullable QueryShape of(Cursor cursor) {
        return of(cursor, 0);
    }

    private static @Nullable QueryShape of(Cursor cursor, int depth) {
        int start = cursor.index();
        while (cursor.accept('(')) {}
        boolean writes = false;
        if (cursor.accept("WITH")) {
            Boolean changes = withQueries(cursor, depth + 1);
            if (changes == null) {
                return null;
            }
            writes = changes;
        }
        while (cursor.accept('(')) {}
        if (cursor.at("WITH")) {
            return depth < MAX_DEPTH ? of(cursor, depth + 1) : null;
        }
        SqlCommand main = switch (cursor.word()) {
            case "SELECT" -> SqlCommand.SELECT;
            case "VALUES" -> SqlCommand.VALUES;
            case "TABLE" -> SqlCommand.TABLE;
            case "INSERT" -> SqlCommand.INSERT;
            case "UPDATE" -> SqlCommand.UPDATE;
            case "DELETE" -> SqlCommand.DELETE;
            case "MERGE" -> SqlCommand.MERGE;
            default -> null;
        };
        if (main == null) {
            return null;
        }
        boolean reads = main == SqlCommand.SELECT || main == SqlCommand.VALUES || main == SqlCommand.TABLE;
        int into = main == SqlCommand.SELECT ? into(cursor.over(start, cursor.limit()), cursor.index()) : -1;
        return new QueryShape(into < 0 ? main : SqlCommand.SELECT_INTO, into, writes || !reads);
    }

    /** Reads name [(columns)] AS [[NOT] MATERIALIZED] (…) [SEARCH …] [CYCLE …] [, …]; null for anything else. */
    private static @Nullable Boolean withQueries(Cursor cursor, int depth) {
        if (depth > MAX_DEPTH) {
            return null;
        }
        if (cursor.at("RECURSIVE") && !cursor.at(1, "AS")) {
            cursor.skip();
        }
        boolean writes = false;
        do {
            if (cursor.identifier() == null) {
                return null;
            }
            cursor.skipGroup();
            if (!cursor.accept("AS")) {
                return null;
            }
            cursor.accept("NOT");
            cursor.accept("MATERIALIZED");
            if (!cursor.atSymbol('(')) {
                return null;
            }
            QueryShape inner = of(cursor.over(cursor.index() + 1, cursor.closing()), depth);
            writes |= inner == null || inner.writes();
            cursor.skipGroup();
            searchAndCycle(cursor);
        } while (cursor.accept(','));
        return writes;
    }

    private static void searchAndCycle(Cursor cursor) {
        if (cursor.at("SEARCH") && cursor.skipToWord("SET")) {
            cursor.skip();
            cursor.identifier();
        }
        if (cursor.at("CYCLE") && cursor.skipToWord("USING")) {
            cursor.skip();
            cursor.identifier();
        }
    }

    /** INTO is a reserved word: elsewhere it can only be a label behind AS or a dot, or belong to INSERT or MERGE. */
    private static int into(Cursor all, int from) {
        TokenList tokens = all.tokens();
        for (int i = from; i < all.limit(); i++) {
            if (tokens.isWord(i, "INTO")
                    && !tokens.isWord(i - 1, "AS")
                    && !tokens.isSymbol(i - 1, '.')
                    && !startsWrite(tokens, i - 1)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean startsWrite(TokenList tokens, int verb) {
        return (tokens.isWord(verb, "INSERT") || tokens.isWord(verb, "MERGE")) && tokens.isSymbol(verb - 1, '(');
    }
}
