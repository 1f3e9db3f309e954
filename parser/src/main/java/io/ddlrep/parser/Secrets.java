package io.ddlrep.parser;

import io.ddlrep.parser.internal.TokenList;
import java.util.EnumSet;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/** Strings in statements that may be secrets. Stateless and thread-safe. */
public final class Secrets {
    private static final String MASK = "'***'";
    private static final String PASSWORD = "password";

    /** Their options may hold passwords and keys, under whatever name. */
    private static final Set<String> OPTIONS = Set.of(
            "CREATE ROLE",
            "ALTER ROLE",
            "CREATE USER MAPPING",
            "ALTER USER MAPPING",
            "CREATE SERVER",
            "ALTER SERVER",
            "CREATE FOREIGN DATA WRAPPER",
            "ALTER FOREIGN DATA WRAPPER",
            "CREATE SUBSCRIPTION",
            "ALTER SUBSCRIPTION");

    private static final Set<TokenType> STRINGS =
            EnumSet.of(TokenType.STRING, TokenType.ESCAPE_STRING, TokenType.UNICODE_STRING, TokenType.DOLLAR_STRING);

    private Secrets() {}

    /**
     * The text with {@code '***'} for strings that may be secrets: all of a role, a user mapping, a server, a foreign data wrapper
     * or a subscription; elsewhere those that speak of a password, as code that sets one does.
     */
    public static String masked(Statement.Ddl ddl) {
        boolean all = OPTIONS.contains(ddl.tag());
        if (!all && !ddl.text().toLowerCase(Locale.ROOT).contains(PASSWORD)) {
            return ddl.text();
        }
        TokenList tokens = TokenList.of(ddl);
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (STRINGS.contains(tokens.type(i))
                    && (all || tokens.text(i).toLowerCase(Locale.ROOT).contains(PASSWORD))) {
                text.append(ddl.text(), from, tokens.start(i)).append(MASK);
                from = tokens.end(i);
            }
        }
        return text.append(ddl.text().substring(from)).toString();
    }

    /** Whether the statement sets the password of a role. */
    public static boolean setsPassword(Statement.Ddl ddl) {
        return isOfRole(ddl) && password(TokenList.of(ddl)).isPresent();
    }

    private static boolean isOfRole(Statement.Ddl ddl) {
        return ddl.tag().equals("CREATE ROLE") || ddl.tag().equals("ALTER ROLE");
    }

    /**
     * The statement with another password.
     *
     * @param ddl CREATE or ALTER ROLE, USER or GROUP with a password
     * @param password the password, or its verifier; without quotes and backslashes
     * @throws IllegalArgumentException where the statement sets none, or this one would have to be escaped
     */
    public static String withPassword(Statement.Ddl ddl, String password) {
        TokenList tokens = TokenList.of(ddl);
        OptionalInt at = password(tokens);
        if (!isOfRole(ddl) || at.isEmpty() || password.indexOf('\'') >= 0 || password.indexOf('\\') >= 0) {
            throw new IllegalArgumentException("no password to replace");
        }
        return ddl.text().substring(0, tokens.start(at.getAsInt()))
                + "'"
                + password
                + "'"
                + ddl.text().substring(tokens.end(at.getAsInt()));
    }

    /** The string behind the last PASSWORD: a role may have that name, and the server refuses two of the option. */
    private static OptionalInt password(TokenList tokens) {
        OptionalInt found = OptionalInt.empty();
        for (int i = 1; i < tokens.size(); i++) {
            if (STRINGS.contains(tokens.type(i)) && tokens.isWord(i - 1, "PASSWORD")) {
                found = OptionalInt.of(i);
            }
        }
        return found;
    }
}
