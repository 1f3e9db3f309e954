package io.ddlrep.engine.node;

/** Names and texts as SQL. Stateless; right whatever the session's settings are. */
public final class Quote {
    private Quote() {}

    /** A name in double quotes. */
    public static String name(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** A qualified name. */
    public static String name(String schema, String name) {
        return name(schema) + "." + name(name);
    }

    /** A string literal; in the escape form where a backslash would depend on {@code standard_conforming_strings}. */
    public static String literal(String text) {
        String doubled = text.replace("'", "''");
        return text.indexOf('\\') < 0 ? "'" + doubled + "'" : "E'" + doubled.replace("\\", "\\\\") + "'";
    }

    /** An array literal of texts. */
    public static String array(Iterable<String> texts) {
        StringBuilder sql = new StringBuilder("ARRAY[");
        String comma = "";
        for (String text : texts) {
            sql.append(comma).append(literal(text));
            comma = ", ";
        }
        return sql.append("]::pg_catalog.text[]").toString();
    }

    /** A text between dollar tags that it does not contain itself. */
    public static String dollars(String text) {
        String tag = "$ddlrep$";
        for (int i = 1; text.contains(tag); i++) {
            tag = "$ddlrep" + i + "$";
        }
        return tag + text + tag;
    }
}
