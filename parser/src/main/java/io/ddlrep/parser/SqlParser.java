package io.ddlrep.parser;

import io.ddlrep.parser.internal.StatementClassifier;
import io.ddlrep.parser.internal.StatementSplitter;
import io.ddlrep.parser.internal.TokenList;
import io.ddlrep.parser.internal.Utf8;
import java.util.ArrayList;
import java.util.List;

/**
 * The door of the module. Stateless and thread-safe. The rules are those of src/backend/parser of PostgreSQL 14 to 18;
 * nothing is validated, since the server judges.
 */
public final class SqlParser {
    private SqlParser() {}

    /**
     * Splits a text into statements as the server splits a simple query, and classifies each. Never throws on odd input:
     * what is not understood is {@link StatementKind#UNCLASSIFIED}. Empty statements are left out.
     *
     * <p>The server reads a whole simple query before it runs any of it: an error of syntax in the third statement means
     * that the first two did not run. Whoever submits the statements one by one has to keep that in mind.
     *
     * @param sql any text
     * @param options how strings are read at its start; {@code SET standard_conforming_strings} inside is followed
     * @return the statements in order; empty for a text of white space and comments only
     */
    public static List<Statement> parse(String sql, ParserOptions options) {
        StatementSplitter splitter = new StatementSplitter(sql, options.standardConformingStrings());
        List<Statement> statements = new ArrayList<>(1);
        int known = 0;
        int knownBytes = 0;
        while (splitter.next()) {
            TokenList tokens = splitter.tokens();
            int start = tokens.start(0);
            int end = tokens.end(tokens.size() - 1);
            int byteStart = knownBytes + Utf8.length(sql, known, start);
            int byteEnd = byteStart + Utf8.length(sql, start, end);
            SourceSpan span = new SourceSpan(start, end, byteStart, byteEnd);
            statements.add(
                    StatementClassifier.classify(tokens, span, sql.substring(start, end), !splitter.unterminated()));
            known = end;
            knownBytes = byteEnd;
        }
        return List.copyOf(statements);
    }
}
