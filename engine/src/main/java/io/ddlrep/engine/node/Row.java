package io.ddlrep.engine.node;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One row, every value in PostgreSQL's text form. Immutable.
 */
public final class Row {
    private final List<String> names;
    private final @Nullable String[] values;

    /**
     * Makes a row.
     *
     * @param names column names, shared between the rows of a result
     * @param values the values in the same order; taken over, not copied
     */
    public Row(List<String> names, @Nullable String[] values) {
        this.names = names;
        this.values = values;
    }

    /** The value of a column, or null. */
    public @Nullable String get(String column) {
        int at = names.indexOf(column);
        if (at < 0) {
            throw new IllegalArgumentException("no column " + column + " among " + names);
        }
        return values[at];
    }

    /** The value of a column by position from 0, or null. */
    public @Nullable String get(int position) {
        return values[position];
    }

    /** The value of a column that cannot be null. */
    public String text(String column) {
        return Objects.requireNonNull(get(column), column);
    }

    /** The value of a column that cannot be null, by position from 0. */
    public String text(int position) {
        return Objects.requireNonNull(values[position], () -> names.get(position));
    }

    /** The value of an integer column that cannot be null. */
    public long number(String column) {
        return Long.parseLong(text(column));
    }

    /** The value of a boolean column that cannot be null. */
    public boolean flag(String column) {
        return text(column).startsWith("t");
    }

    /** The column names. */
    public List<String> names() {
        return names;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < values.length; i++) {
            text.append(i == 0 ? "" : ", ").append(names.get(i)).append('=').append(values[i]);
        }
        return text.append(')').toString();
    }
}
