package io.ddlrep.parser;

import java.util.List;

/**
 * An expression inside a DDL statement whose value may differ between nodes. Immutable.
 *
 * @param place where it stands
 * @param column the column that it gives a value to; empty where it is of no column
 * @param span where its text stands in the statement (offsets relative to the statement's text)
 * @param text the expression's text
 * @param calls what it calls
 */
public record Expression(Place place, String column, SourceSpan span, String text, ExpressionInspector.Calls calls) {
    /** Names of the functions that it calls, see {@link ExpressionInspector.Calls}. */
    public List<String> functions() {
        return calls.functions();
    }

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
        INDEX,
        /** An element of PARTITION BY. */
        PARTITION_KEY,
        /** A value of a partition's bounds: computed when the statement runs. */
        PARTITION_BOUND,
        /** An element of CREATE STATISTICS. */
        STATISTICS,
        /** WHEN of a trigger. */
        TRIGGER,
        /** WHERE of a rule. */
        RULE,
        /** USING or WITH CHECK of a policy; may hold queries. */
        POLICY,
        /** DEFAULT of a routine's argument. */
        ARGUMENT_DEFAULT
    }
}
