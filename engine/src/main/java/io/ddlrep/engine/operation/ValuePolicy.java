package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds statements whose rows would differ between the nodes if each node computed them. Volatility is asked of the
 * server, never guessed from a name. Stateless.
 */
final class ValuePolicy {
    private static final String SQL = SqlResource.text("sql/value_volatility.sql");

    /** SQL value functions are keywords, not rows of pg_proc; all of them depend on when or by whom they are called. */
    private static final Set<String> VALUE_FUNCTIONS = Set.of(
            "current_date",
            "current_time",
            "current_timestamp",
            "localtime",
            "localtimestamp",
            "current_role",
            "current_user",
            "user",
            "session_user",
            "system_user",
            "current_catalog",
            "current_schema");

    /** Types that read the words of {@link #CLOCK_WORDS} from a string. */
    private static final Set<String> CLOCK_TYPES = Set.of(
            "date",
            "time",
            "time with time zone",
            "time without time zone",
            "timestamp",
            "timestamp with time zone",
            "timestamp without time zone",
            "timestamptz",
            "timetz");

    /** In a string these may be read as a point in time; an escape may hide one. */
    private static final Pattern CLOCK_WORDS =
            Pattern.compile("\\b(?:now|today|tomorrow|yesterday)\\b|\\\\|u&", Pattern.CASE_INSENSITIVE);

    private ValuePolicy() {}

    /** Where a statement may compute values for rows that are there already. */
    enum Values {
        /** On every node: it gets the same. */
        SAME,
        /** On every node, but it gets others: those of the origin are carried, and take their place. */
        OF_ORIGIN,
        /** On the origin alone: a function of the user's may have effects. The replicas' tables are empty meanwhile. */
        ON_ORIGIN
    }

    /** Where the statement may compute values, as the catalogs say. */
    static Values of(NodeSession client, Statement.Ddl ddl) {
        if (ddl.facts().contains(DdlFact.ROWS_FROM_QUERY)) {
            // Rows cannot be written to a materialized view: all nodes compute them, and they are compared.
            return ddl.facts().contains(DdlFact.WITH_NO_DATA) || MaterializedRows.isFilled(ddl)
                    ? Values.SAME
                    : Values.OF_ORIGIN;
        }
        boolean changing =
                ddl.facts().contains(DdlFact.SEQUENCE_COLUMN) && ddl.facts().contains(DdlFact.ADD_COLUMN);
        List<String> functions = new ArrayList<>();
        List<String> operators = new ArrayList<>();
        boolean casts = ddl.facts().contains(DdlFact.COLUMN_TYPE);
        for (Expression expression : ddl.expressions()) {
            if (makesRows(ddl, expression)) {
                changing |= changesByItself(expression);
                for (String function : expression.functions()) {
                    functions.add(function.substring(function.lastIndexOf('.') + 1));
                }
                operators.addAll(expression.calls().operators());
                casts |= !expression.calls().casts().isEmpty();
            }
        }
        if (casts || !functions.isEmpty() || !operators.isEmpty()) {
            for (Row row : client.query(SQL, functions, operators, casts)) {
                if (row.flag("foreign_volatile")) {
                    return Values.ON_ORIGIN;
                }
                changing |= row.flag("changing");
            }
        }
        return changing ? Values.OF_ORIGIN : Values.SAME;
    }

    /** Whether an expression may give another value on another node, as far as it can be told without the catalogs. */
    static boolean mayDiffer(Expression expression) {
        return !expression.functions().isEmpty()
                || !expression.calls().operators().isEmpty()
                || !expression.calls().casts().isEmpty()
                || changesByItself(expression);
    }

    /** Whether a text may hold a string that is read as the present time. */
    static boolean mayReadClock(String text) {
        return CLOCK_WORDS.matcher(text).find();
    }

    /** Whether it is computed for rows that are there already; a table that is made has none. */
    private static boolean makesRows(Statement.Ddl ddl, Expression expression) {
        return expression.place() == Expression.Place.USING
                || (expression.place() == Expression.Place.ADD_COLUMN_DEFAULT
                        && ddl.facts().contains(DdlFact.ADD_COLUMN));
    }

    /**
     * Whether no catalog is needed to see that values may differ: a value function, a string such as {@code 'now'}, rows
     * whose strings are read as times and may be one; or the expression was not fully understood.
     */
    private static boolean changesByItself(Expression expression) {
        return !expression.calls().exact()
                || expression.functions().stream().anyMatch(VALUE_FUNCTIONS::contains)
                || mayReadClock(expression.text())
                || (expression.place() == Expression.Place.USING
                        && expression.calls().casts().stream().anyMatch(CLOCK_TYPES::contains));
    }
}
