package io.ddlrep.parser.internal.expression;

import io.ddlrep.parser.TokenType;
import io.ddlrep.parser.internal.Cursor;
import io.ddlrep.parser.internal.TokenList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the functions that an expression calls by its tokens alone: a name before a parenthesis, and the SQL value
 * functions, which have none. Finds too much rather than too little. Stateless.
 */
public final class CallScan {
    /** SQLValueFunction in gram.y; SYSTEM_USER since 16. */
    private static final Set<String> VALUE_FUNCTIONS = Set.of(
            "CURRENT_DATE",
            "CURRENT_TIME",
            "CURRENT_TIMESTAMP",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "CURRENT_ROLE",
            "CURRENT_USER",
            "SESSION_USER",
            "SYSTEM_USER",
            "USER",
            "CURRENT_CATALOG",
            "CURRENT_SCHEMA");

    /** Words before a parenthesis that call nothing: constructs and types that the grammar knows itself. */
    private static final Set<String> NO_CALL = Set.of(
            "ALL",
            "AND",
            "ANY",
            "ARRAY",
            "AS",
            "ASYMMETRIC",
            "BETWEEN",
            "BIT",
            "BY",
            "CASE",
            "CAST",
            "CHAR",
            "CHARACTER",
            "COALESCE",
            "DEC",
            "DECIMAL",
            "DISTINCT",
            "ELSE",
            "EXCEPT",
            "EXISTS",
            "FILTER",
            "FLOAT",
            "FOR",
            "FROM",
            "GREATEST",
            "GROUP",
            "GROUPING",
            "HAVING",
            "ILIKE",
            "IN",
            "INTERSECT",
            "INTERVAL",
            "IS",
            "JOIN",
            "LATERAL",
            "LEAST",
            "LIKE",
            "LIMIT",
            "NATIONAL",
            "NCHAR",
            "NOT",
            "NULLIF",
            "NUMERIC",
            "OFFSET",
            "ON",
            "OR",
            "ORDER",
            "OVER",
            "PARTITION",
            "PRECISION",
            "RETURNING",
            "ROW",
            "SELECT",
            "SETS",
            "SIMILAR",
            "SOME",
            "SYMMETRIC",
            "THEN",
            "TIME",
            "TIMESTAMP",
            "TO",
            "UNION",
            "USING",
            "VALUES",
            "VARCHAR",
            "VARYING",
            "WHEN",
            "WHERE",
            "WITH",
            "WITHIN",
            "ZONE");

    /** Keywords that stand for an operator's function. */
    private static final Set<String> OPERATOR_WORDS =
            Set.of("LIKE", "ILIKE", "SIMILAR", "IN", "BETWEEN", "OVERLAPS", "DISTINCT", "NULLIF", "CASE");

    private CallScan() {}

    /** Whether this word before a parenthesis calls nothing. */
    static boolean callsNothing(String word) {
        return NO_CALL.contains(upper(word));
    }

    /** Whether this word alone is a call. */
    static boolean isValueFunction(String word) {
        return VALUE_FUNCTIONS.contains(upper(word));
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    /** The functions in the order of the text. */
    public static Set<String> functions(TokenList tokens) {
        Set<String> found = new LinkedHashSet<>();
        Cursor cursor = new Cursor(tokens, 0, tokens.size());
        while (!cursor.done()) {
            if (cursor.accept("AT", "TIME", "ZONE") || cursor.accept("AT", "LOCAL")) {
                found.add("timezone");
            } else if (cursor.atName()) {
                name(cursor, found);
            } else {
                cursor.skip();
            }
        }
        return found;
    }

    /**
     * The operators in the order of the text, as written, and the keywords that stand for one in upper case. The star of
     * {@code count(*)} and the arrow of a named argument are none.
     */
    public static Set<String> operators(TokenList tokens) {
        Set<String> found = new LinkedHashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.type(i) == TokenType.OPERATOR) {
                boolean star = tokens.isSymbol(i - 1, '(') && tokens.isSymbol(i + 1, ')');
                if (!star && !tokens.isText(i, "=>")) {
                    found.add(tokens.text(i));
                }
            } else if (OPERATOR_WORDS.contains(tokens.word(i)) && !tokens.isSymbol(i - 1, '.')) {
                found.add(tokens.word(i));
            }
        }
        return found;
    }

    private static void name(Cursor cursor, Set<String> found) {
        TokenList tokens = cursor.tokens();
        int start = cursor.index();
        boolean word = cursor.type() == TokenType.WORD;
        String keyword = cursor.word();
        boolean cast = tokens.isText(start - 1, "::") || tokens.isWord(start - 1, "AS");
        boolean part = tokens.isSymbol(start - 1, '.');
        List<String> parts = cursor.parts();
        boolean single = word && parts.size() == 1 && !part;
        if (cast) {
            return;
        }
        if (single && VALUE_FUNCTIONS.contains(keyword)) {
            found.add(parts.get(0));
        } else if (cursor.atSymbol('(') && !(single && NO_CALL.contains(keyword))) {
            found.add(String.join(".", parts));
        }
    }
}
