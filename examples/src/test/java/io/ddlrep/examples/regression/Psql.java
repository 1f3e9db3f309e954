package io.ddlrep.examples.regression;

import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.PsqlScript;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As much of psql as the regression scripts need to give their statements: variables, conditions, COPY data, and the
 * commands that send what was typed. What only prints is left out. Used by one thread.
 */
final class Psql {
    private final PsqlScript script;
    private final Map<String, String> variables = new HashMap<>();
    /** For each open \if: whether its branch is taken, and whether one of its branches was. */
    private final Deque<boolean[]> conditions = new ArrayDeque<>();

    private String previous = "";
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
        CONNECT
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
        String lower = query.text().toLowerCase(Locale.ROOT);
        previous = query.text();
        if (lower.matches("(?s)set\\s+(session\\s+|local\\s+)?datestyle\\b.*")) {
            return null; // pgjdbc gives a connection up whose dates it cannot read
        }
        return new Step(query.line(), query.text(), Send.PLAIN, "");
    }

    private @Nullable Step command(PsqlScript.Command command) {
        String arguments = command.arguments();
        switch (command.name()) {
            case "if" -> conditions.push(new boolean[] {truth(arguments), truth(arguments)});
            case "elif" -> turn(truth(arguments));
            case "else" -> turn(true);
            case "endif" -> conditions.poll();
            default -> {
                return skipping() ? null : active(command, arguments);
            }
        }
        return null;
    }

    private void turn(boolean condition) {
        boolean[] top = conditions.getFirst();
        top[0] = !top[1] && condition;
        top[1] |= top[0];
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
            case "r", "reset" -> script.takeQuery();
            case "c", "connect" -> {
                String[] words = arguments.split("\\s+", -1);
                String user = words.length > 1 && !words[1].equals("-") ? expand(words[1]) : "";
                return new Step(command.line(), user, Send.CONNECT, "");
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
        String query = script.takeQuery();
        String text = query.isEmpty() ? previous : query;
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
                i = end + 1;
            } else if (c == ':') {
                int end = i + 1;
                while (end < text.length()
                        && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
                    end++;
                }
                value.append(variables.getOrDefault(text.substring(i + 1, end), ""));
                i = Math.max(end, i + 1);
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
