package io.ddlrep.gateway.cli;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.PsqlScript;
import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.StatementKind;
import io.ddlrep.parser.TokenType;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a script as psql does, before any of it is run. Used by one thread, once. */
final class ScriptReader {
    /** What pg_dump puts around its output so that nothing in it is taken for psql's command. */
    private static final Set<String> PASSED = Set.of("restrict", "unrestrict");

    private final String name;
    private final PsqlScript script;
    private final Map<String, String> variables = new HashMap<>();

    /**
     * A statement of a script.
     *
     * @param line where it, or the text that it is in, starts
     * @param statement the statement
     * @param data the data of a COPY FROM STDIN
     */
    record Entry(int line, Statement statement, Optional<String> data) {}

    ScriptReader(String name, String text, boolean standardStrings) {
        this.name = name;
        this.script = new PsqlScript(new StringReader(text), new ParserOptions(standardStrings), variables::get);
    }

    List<Entry> read() {
        List<Entry> entries = new ArrayList<>();
        PsqlScript.Piece piece = script.next();
        while (piece != null) {
            if (piece instanceof PsqlScript.Command command) {
                command(command);
            } else {
                query((PsqlScript.Query) piece, entries);
            }
            piece = script.next();
        }
        return entries;
    }

    private void query(PsqlScript.Query query, List<Entry> entries) {
        for (Statement statement : SqlParser.parse(query.text(), query.options())) {
            boolean copies = statement.kind() == StatementKind.COPY && isFromStdin(statement.text(), query.options());
            entries.add(new Entry(query.line(), statement, copies ? Optional.of(script.copyData()) : Optional.empty()));
        }
    }

    private static boolean isFromStdin(String sql, ParserOptions options) {
        SqlLexer lexer = new SqlLexer(sql, options);
        boolean from = false;
        while (lexer.next() != TokenType.END) {
            if (from && lexer.isWord("STDIN")) {
                return true;
            }
            from = lexer.isWord("FROM");
        }
        return false;
    }

    private void command(PsqlScript.Command command) {
        if (command.name().equals("set")) {
            String[] words = command.arguments().split("\\s+", 2);
            variables.put(words[0], words.length == 1 ? "" : unquoted(words[1]));
        } else if (!PASSED.contains(command.name())) {
            throw new DdlrepException(ServerError.of(
                            "42601",
                            "ddlrep: " + name + ":" + command.line() + ": \\" + command.name()
                                    + " is a command of psql's that cannot stand in a script")
                    .with(
                            "Nothing was run.",
                            "Take it out, or send the file through the gateway by psql --single-transaction."));
        }
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("'") && value.endsWith("'");
        return quoted ? value.substring(1, value.length() - 1).replace("''", "'") : value;
    }
}
