package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which command the guard has noted: PL/pgSQL puts its text on the call stack, a function in SQL its own name and which of its
 * statements it is (sql_exec_error_callback in the server's functions.c). Stateless.
 */
final class CodeText {
    private static final String SOURCE = SqlResource.text("sql/sql_function_source.sql");

    /** No command begins so. */
    private static final Pattern OF_FUNCTION = Pattern.compile("SQL function \"(.*)\" statement (\\d{1,9})");

    private CodeText() {}

    /**
     * The command.
     *
     * @param client the session that has run it
     * @param noted what the guard has noted
     * @param options how the session reads strings
     */
    static Statement.Ddl of(NodeSession client, String noted, ParserOptions options) {
        Matcher function = OF_FUNCTION.matcher(noted);
        if (function.matches()) {
            return ofFunction(client, function.group(1), Integer.parseInt(function.group(2)), options);
        }
        List<Statement> read = SqlParser.parse(noted, options);
        if (read.size() != 1 || !(read.get(0) instanceof Statement.Ddl ddl)) {
            throw Errors.unsupported(
                    "code has run a command that is not understood: " + noted, "Send it as a statement of its own.");
        }
        return ddl;
    }

    private static Statement.Ddl ofFunction(NodeSession client, String name, int number, ParserOptions options) {
        Map<String, Statement.Ddl> found = new TreeMap<>();
        for (Row row : client.query(SOURCE, name)) {
            List<Statement> statements = SqlParser.parse(row.text("source"), options);
            if (number <= statements.size() && statements.get(number - 1) instanceof Statement.Ddl ddl) {
                found.put(ddl.text(), ddl);
            }
        }
        if (found.size() != 1) {
            throw Errors.unsupported(
                    "statement " + number + " of a function in SQL, \"" + name + "\", was run by code; "
                            + (found.isEmpty()
                                    ? "no function of that name has such DDL now"
                                    : "several of that name have DDL there")
                            + ", so it cannot be replicated",
                    "Write the function in PL/pgSQL, give it a name of its own, or send the command as a statement of its own.");
        }
        return found.values().iterator().next();
    }
}
