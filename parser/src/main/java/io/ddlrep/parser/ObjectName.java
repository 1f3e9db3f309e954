package io.ddlrep.parser;

import org.jspecify.annotations.Nullable;

/**
 * A name as the server would read it: unquoted parts folded to lower case, quoted parts as written, both cut to 63
 * bytes. Immutable.
 *
 * @param schema the schema, or null where the statement names none
 * @param name the object's own name
 */
public record ObjectName(@Nullable String schema, String name) {
    /** The name as SQL text in which every part is quoted; safe to splice and to give to {@code to_regclass}. */
    public String quoted() {
        String own = quote(name);
        return schema == null ? own : quote(schema) + "." + own;
    }

    private static String quote(String part) {
        return "\"" + part.replace("\"", "\"\"") + "\"";
    }

    @Override
    public String toString() {
        return schema == null ? name : schema + "." + name;
    }
}
