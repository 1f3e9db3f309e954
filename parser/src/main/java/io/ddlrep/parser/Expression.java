package io.ddlrep.parser;

import java.util.List;

/**
 * An expression inside a DDL statement whose value may differ between nodes. Immutable.
 *
 * @param place where it stands
 * @param column the column that it gives a value to; empty for a constraint or index expression
 * @param span where its text stands in the statement (offsets relative to the statement's text)
 * @param text the expression's text
 * @param functions names of functions that are called, as written but folded (schema-qualified where the text is);
 *     SQL value functions ({@code current_timestamp}, {@code session_user}, …) by their keyword in lower case
 */
public record Expression(Place place, String column, SourceSpan span, String text, List<String> functions) {
    /** Where an expression stands. */
    public enum Place {
        /** DEFAULT of a column that the statement adds to an existing or new table. */
        ADD_COLUMN_DEFAULT,
        /** ALTER COLUMN SET DEFAULT: evaluated for later rows only. */
        SET_DEFAULT,
        /** ALTER COLUMN TYPE … USING. */
        USING,
        /** GENERATED ALWAYS AS (…) STORED or VIRTUAL. */
        GENERATED,
        /** CHECK constraint. */
        CHECK,
        /** An index column's or predicate's expression. */
        INDEX
    }
}
