package io.ddlrep.gateway.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code NAME=CONNINFO}. A word before the first equals sign is a name unless it is one of libpq's keywords. Immutable.
 *
 * @param name the node's name
 * @param text the connection string
 */
record NamedConnInfo(String name, String text) {
    private static final Pattern NAMED = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(.*)", Pattern.DOTALL);

    static NamedConnInfo parse(String text, String otherwise) {
        Matcher matcher = NAMED.matcher(text);
        if (matcher.matches() && !ConnInfo.KEYWORDS.contains(matcher.group(1))) {
            return new NamedConnInfo(matcher.group(1), matcher.group(2));
        }
        return new NamedConnInfo(otherwise, text);
    }

    /** The connection string may hold a password. */
    @Override
    public String toString() {
        return "NamedConnInfo[" + name + "]";
    }
}
