package io.ddlrep.examples.regression;

import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.PsqlScript;
import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.TokenType;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As much of psql as the regression scripts need to give their statements: variables, conditions, COPY data, and the
 * commands that send what was typed. What only prints is left out. Used by one thread.
 */
final class Psql {
    private final PsqlScript script;
    private final Map<String, String> variables = new HashMap<>();
    /** For each open \if: whether its branch is taken, whether one of its branches was, and whether it is the last. */
    private final Deque<boolean[]> conditions = new ArrayDeque<>();

    private String previous = "";

    /** A query that was begun before a branch that is not taken, and goes on behind it. */
    private String begun = "";

    private boolean ended;

    /** What to do with a statement. */
    enum Send {
        /** Run it. */
        PLAIN,
        /** Run it, and keep its row in variables. */
        GSET,
        /** Run it, and run each field of its rows. */
        GEXEC,
        /** Ask what it would return. */
        GDESC,
        /** Connect again; the text is the user, or empty. */
        CONNECT,
        /** A COPY of psql's own, with a file or with data of the script; the text are its arguments. */
        COPY
    }

    /** One step of a script. */
    record Step(int line, String text, Send send, String argument) {}

    Psql(String text, Map<String, String> variables) {
        this.script = new PsqlScript(new StringReader(text), ParserOptions.DEFAULT, this::variable);
        this.variables.putAll(variables);
    }

    private @Nullable String variable(String name) {
        return variables.get(name);
    }

    /** The next thing that the server would see; null at the end. */
    @Nullable
    Step next() {
        while (!ended) {
            PsqlScript.Piece piece = script.next();
            if (piece == null) {
                return null;
            }
            Step step = piece instanceof PsqlScript.Query query ? query(query) : command((PsqlScript.Command) piece);
            if (step != null) {
                return step;
            }
        }
        return null;
    }

    private boolean skipping() {
        return conditions.stream().anyMatch(c -> !c[0]);
    }

    private @Nullable Step query(PsqlScript.Query query) {
        if (skipping()) {
            return null;
        }
        previous = whole(query.text());
        return new Step(query.line(), previous, Send.PLAIN, "");
    }

    private String whole(String text) {
        String query = begun.isEmpty() ? text : begun + "\n" + text;
        begun = "";
        return query;
    }

    private @Nullable Step command(PsqlScript.Command command) {
        String arguments = command.arguments();
        boolean skipped = skipping();
        switch (command.name()) {
            case "if" -> conditions.push(new boolean[] {truth(arguments), truth(arguments), false});
            case "elif" -> turn(truth(arguments), false);
            case "else" -> turn(true, true);
            case "endif" -> conditions.poll();
            default -> {
                return skipped ? null : active(command, arguments);
            }
        }
        // What stands in a branch that is not taken is no part of the query around it.
        if (skipping() && !skipped) {
            begun = whole(script.takeQuery());
        } else if (skipped && !skipping()) {
            script.takeQuery();
        }
        return null;
    }

    /** Psql tells an error where no \if is open, or where its \else was before, and goes on. */
    private void turn(boolean condition, boolean last) {
        boolean[] top = conditions.peek();
        if (top != null && !top[2]) {
            top[0] = !top[1] && condition;
            top[1] |= top[0];
            top[2] = last;
        }
    }

    private boolean truth(String text) {
        String value = text.startsWith(":{?")
                ? Boolean.toString(variables.containsKey(text.substring(3, text.length() - 1)))
                : expand(text);
        return value.matches("(?i)t|true|on|1|yes");
    }

    private @Nullable Step active(PsqlScript.Command command, String arguments) {
        switch (command.name()) {
            case "set" -> set(arguments);
            case "unset" -> variables.remove(arguments);
            case "r", "reset" -> whole(script.takeQuery());
            case "c", "connect" -> {
                String[] words = arguments.split("\\s+", -1);
                String user = words.length > 1 && !words[1].equals("-") ? expand(words[1]) : "";
                return new Step(command.line(), user, Send.CONNECT, "");
            }
            case "copy" -> {
                // Its data begin behind its own line; a query that it stands in goes on behind them.
                begun = whole(script.takeQuery());
                return new Step(command.line(), arguments, Send.COPY, "");
            }
            case "q", "quit" -> ended = true;
            case "g", "gx", "crosstabview", "watch" -> {
                return sent(command, Send.PLAIN);
            }
            case "gset" -> {
                return sent(command, Send.GSET);
            }
            case "gexec" -> {
                return sent(command, Send.GEXEC);
            }
            case "gdesc", "bind", "parse", "bind_named", "close_prepared" -> {
                return sent(command, Send.GDESC);
            }
            default -> {}
        }
        return null;
    }

    private Step sent(PsqlScript.Command command, Send send) {
        String query = whole(script.takeQuery());
        String text = new SqlLexer(query, ParserOptions.DEFAULT).next() == TokenType.END ? previous : query;
        previous = text;
        return new Step(command.line(), text, send, command.arguments());
    }

    private void set(String arguments) {
        String[] words = arguments.split("\\s+", 2);
        variables.put(words[0], words.length < 2 ? "" : expand(words[1]));
    }

    /** Joins words and quoted parts as \set does. */
    private String expand(String text) {
        StringBuilder value = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '\'') {
                int end = text.indexOf('\'', i + 1);
                end = end < 0 ? text.length() : end;
                value.append(text, i + 1, end);
                boolean doubled = text.startsWith("''", end);
                value.append(doubled ? "'" : "");
                // The second quote of two opens the rest of the same part.
                i = end + 1;
            } else if (c == ':') {
                boolean literal = text.startsWith(":'", i);
                int start = literal ? i + 2 : i + 1;
                int end = start;
                while (end < text.length()
                        && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
                    end++;
                }
                String found = variables.getOrDefault(text.substring(start, end), "");
                value.append(literal ? "'" + found.replace("'", "''") + "'" : found);
                i = literal ? end + 1 : Math.max(end, start);
            } else {
                if (!Character.isWhitespace(c)) {
                    value.append(c);
                }
                i++;
            }
        }
        return value.toString();
    }

    /** Keeps a row's field as \gset does. */
    void keep(String name, @Nullable String value) {
        if (value == null) {
            variables.remove(name);
        } else {
            variables.put(name, value);
        }
    }

    /** The data of the COPY that was read last. */
    String copyData() {
        return script.copyData();
    }
}
