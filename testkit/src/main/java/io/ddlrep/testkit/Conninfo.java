package io.ddlrep.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads libpq's {@code keyword=value} strings: quotes, backslashes, blanks around {@code =}. Stateless. */
final class Conninfo {

    private final String text;
    private int at;

    private Conninfo(String text) {
        this.text = text;
    }

    /** The node that a conninfo string names; defaults as libpq has them, without the environment. */
    static PgNode toNode(String name, String conninfo) {
        Map<String, String> words = new Conninfo(conninfo).parse();
        String user = words.getOrDefault("user", System.getProperty("user.name"));
        return new PgNode(
                name,
                words.getOrDefault("host", words.getOrDefault("hostaddr", "localhost")),
                Integer.parseInt(words.getOrDefault("port", "5432")),
                words.getOrDefault("dbname", user),
                user,
                words.getOrDefault("password", ""));
    }

    private Map<String, String> parse() {
        Map<String, String> words = new LinkedHashMap<>();
        skipBlanks();
        while (at < text.length()) {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                throw new TestkitException("missing \"=\" after \"" + text.substring(at) + "\" in conninfo");
            }
            String keyword = text.substring(at, equals).strip();
            at = equals + 1;
            skipBlanks();
            words.put(keyword, value());
            skipBlanks();
        }
        return words;
    }

    private String value() {
        boolean quoted = at < text.length() && text.charAt(at) == '\'';
        if (quoted) {
            at++;
        }
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (quoted ? c == '\'' : Character.isWhitespace(c)) {
                return value.toString();
            }
            boolean escape = c == '\\' && at < text.length();
            value.append(escape ? text.charAt(at++) : c);
        }
        if (quoted) {
            throw new TestkitException("unterminated quoted string in conninfo");
        }
        return value.toString();
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
