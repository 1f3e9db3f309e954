package io.ddlrep.parser.internal;

import java.util.Set;

/**
 * A command of psql's, as src/bin/psql/psqlscanslash.l reads it. Immutable.
 *
 * @param name without the backslash
 * @param arguments as written, without the white space around
 * @param end where the text goes on
 */
public record MetaCommand(String name, String arguments, int end) {
    /** To these a backslash is an ordinary character. */
    private static final Set<String> WHOLE_LINE =
            Set.of("!", "copy", "ef", "ev", "sf", "sf+", "sv", "sv+", "h", "help");

    /** Reads the command whose backslash stands at this place. */
    public static MetaCommand at(String text, int backslash) {
        int line = text.indexOf('\n', backslash);
        int limit = line < 0 ? text.length() : line;
        int name = backslash + 1;
        while (name < limit && !CharClasses.isSpace(text.charAt(name)) && text.charAt(name) != '\\') {
            name++;
        }
        String word = text.substring(backslash + 1, name);
        int end = WHOLE_LINE.contains(word) ? limit : arguments(text, name, limit);
        String rest = text.substring(name, end).strip();
        return new MetaCommand(word, rest, text.startsWith("\\\\", end) ? end + 2 : end);
    }

    /** Arguments end at a backslash that stands in no quotes; in single ones a backslash escapes. */
    private static int arguments(String text, int from, int limit) {
        char quote = 0;
        int i = from;
        while (i < limit) {
            char c = text.charAt(i);
            if (c == '\\' && quote == 0) {
                return i;
            } else if (quote == 0 && (c == '\'' || c == '"' || c == '`')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
            i += c == '\\' && quote == '\'' ? 2 : 1;
        }
        return limit;
    }
}
