package io.ddlrep.parser.internal;

import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.TokenType;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The code of a DO statement, of which only the server knows what it does: whether it may change the schema is told by its
 * words, rather too often than too seldom. Stateless.
 */
final class CodeBlock {
    /**
     * Commands that change a schema, also in strings that EXECUTE may be given; temporary tables are the session's own. EXPLAIN
     * ANALYZE makes the table that it explains, and no event trigger is told.
     */
    private static final Pattern CHANGES = Pattern.compile(
            "\\b(?:create(?!\\s+(?:local\\s+|global\\s+)?temp)|alter|drop|grant|revoke|reassign|comment\\s+on|security\\s+label"
                    + "|refresh\\s+materialized|explain\\s*(?:\\([^)]*\\)|\\s(?:verbose\\s+)?analy[sz]e))\\s+\\S",
            Pattern.CASE_INSENSITIVE);

    private CodeBlock() {}

    /**
     * Whether the code may change the schema, and can run in a transaction block.
     *
     * @param cursor behind DO
     */
    static boolean mayChangeSchema(Cursor cursor) {
        TokenList tokens = cursor.tokens();
        for (int i = cursor.index(); i < cursor.limit(); i++) {
            String code = code(tokens, i);
            if (code != null) {
                return CHANGES.matcher(code).find() && !endsTransactions(code);
            }
        }
        return false;
    }

    private static @Nullable String code(TokenList tokens, int index) {
        String text = tokens.text(index);
        return switch (tokens.type(index)) {
            case DOLLAR_STRING -> {
                int tag = text.indexOf('$', 1) + 1;
                yield text.length() < 2 * tag ? "" : text.substring(tag, text.length() - tag);
            }
            case STRING, ESCAPE_STRING -> text.replace("''", "'");
            default -> null;
        };
    }

    /** COMMIT and ROLLBACK, which code can only say outside a transaction block; not ON COMMIT. */
    private static boolean endsTransactions(String code) {
        SqlLexer lexer = new SqlLexer(code, 0, code.length(), true);
        boolean word = false;
        boolean on = false;
        while (lexer.next() != TokenType.END) {
            if (word && (lexer.isSymbol(';') || lexer.isWord("AND"))) {
                return true;
            }
            word = (lexer.isWord("COMMIT") || lexer.isWord("ROLLBACK")) && !on;
            on = lexer.isWord("ON");
        }
        return false;
    }
}
