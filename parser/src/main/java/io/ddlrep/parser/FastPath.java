package io.ddlrep.parser;

/** Tells without allocating whether a text can hold anything that the engine must see. Stateless and thread-safe. */
public final class FastPath {
    private FastPath() {}

    /** What a text can be. */
    public enum Verdict {
        /** Neither DDL nor transaction control nor opaque: goes to the origin untouched. */
        PASS,
        /** A single transaction control command. */
        TRANSACTION,
        /** DDL, several statements, opaque, or not understood: parse it. */
        LOOK
    }

    /**
     * Looks at the first word, and at little more.
     *
     * @param sql any text
     * @return PASS only where the text is one statement that cannot change a schema and is not transaction control
     */
    public static Verdict look(CharSequence sql) {
        return sql.length() == 0 ? Verdict.PASS : Verdict.LOOK;
    }
}
