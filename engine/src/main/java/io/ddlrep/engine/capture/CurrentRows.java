package io.ddlrep.engine.capture;

import io.ddlrep.engine.node.Quote;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * SQL that reads rows by their keys as they are now, for capture functions that may have been told of an older state: by a
 * function of the table's owner, which nobody but capture may call. Immutable.
 *
 * <p>A row that is gone comes back as a {@code K}: its key alone. The function is PL/pgSQL, which keeps its plans for as long
 * as the session lives, where a function in SQL plans anew for each statement that fires a trigger.
 */
final class CurrentRows {
    private static final String ARRAY = "[]";

    private final TableShape shape;
    private final long tableId;

    CurrentRows(TableShape shape, long tableId) {
        this.shape = shape;
        this.tableId = tableId;
    }

    /** Whether a key travels to the function in its text form, which depends on settings. */
    boolean keyAsText() {
        return shape.key().stream().anyMatch(CurrentRows::textForm);
    }

    /**
     * Creates the function, or replaces it.
     *
     * @param known a function with these keys stands there, with its rights, which CREATE OR REPLACE keeps
     */
    String function(boolean known) {
        String signature = name() + "(" + list(shape.key(), c -> requestType(c) + ARRAY) + ")";
        String create = "CREATE OR REPLACE FUNCTION " + signature + " RETURNS SETOF record LANGUAGE plpgsql"
                + " SECURITY DEFINER" + settings() + " SET row_security = 'off' AS "
                + Quote.dollars("BEGIN RETURN QUERY " + select() + "; END") + ";\nALTER FUNCTION " + signature
                + " OWNER TO " + Quote.name(shape.owner()) + ";\n";
        return known
                ? create
                : drop(tableId) + create + "REVOKE ALL ON FUNCTION " + signature
                        + " FROM PUBLIC;\nGRANT EXECUTE ON FUNCTION " + signature + " TO ddlrep_owner;\n";
    }

    /** Each setting costs at every call: where nothing travels as text, none but the path matters. */
    private String settings() {
        boolean text = keyAsText() || shape.captured().stream().anyMatch(Column::asText);
        return text ? CaptureSql.pinnedSettings() : " SET search_path = pg_catalog, pg_temp";
    }

    /** Drops the function, whatever its arguments are. */
    static String drop(long tableId) {
        return "DROP FUNCTION IF EXISTS " + name(tableId) + ";\n";
    }

    /** A FROM item: the rows as they are now whose keys are those of one row; its name is {@code r}. */
    String ofRow(String row) {
        return call(list(shape.key(), c -> "ARRAY[" + request(c, row) + "]"));
    }

    /** FROM items: the rows as they are now whose keys are those of a transition table; their name is {@code r}. */
    String ofTable(String table) {
        List<Column> key = shape.key();
        return "(SELECT " + list(key, c -> "pg_catalog.array_agg(" + request(c, "x") + ") AS " + c.wire()) + " FROM "
                + table + " x) k, LATERAL " + call(list(key, c -> "k." + c.wire()));
    }

    private String call(String keys) {
        return name() + "(" + keys + ") AS r(op pg_catalog.\"char\"" + CaptureSql.valueColumns(shape) + ")";
    }

    private String name() {
        return name(tableId);
    }

    private static String name(long tableId) {
        return "ddlrep_apply.current_" + tableId;
    }

    private String select() {
        List<Column> key = shape.key();
        StringBuilder asked = new StringBuilder("ROWS FROM (");
        StringBuilder names = new StringBuilder();
        StringBuilder typed = new StringBuilder();
        StringBuilder on = new StringBuilder();
        for (int i = 0; i < key.size(); i++) {
            Column column = key.get(i);
            String separator = i == 0 ? "" : ", ";
            asked.append(separator).append("unnest($").append(i + 1).append(')');
            names.append(separator).append('k').append(i);
            String value = "k.k" + i;
            if (textForm(column)) {
                // The input function of the type, never a cast, which a user could define.
                String from = "x" + i;
                typed.append(" CROSS JOIN LATERAL json_to_record(json_build_object('k', ")
                        .append(value)
                        .append(")) AS ")
                        .append(from)
                        .append("(k ")
                        .append(column.typeName())
                        .append(')');
                value = from + ".k";
            }
            on.append(i == 0 ? "" : " AND ")
                    .append("t.")
                    .append(column.quoted())
                    .append(' ')
                    .append(column.keyOperator())
                    .append(' ')
                    .append(value);
        }
        return "SELECT CASE WHEN t.tableoid IS NULL THEN 'K'::\"char\" ELSE 'U'::\"char\" END"
                + CaptureSql.values(shape, shape.captured(), c -> c.inKey() ? keyOrRequest(c) : c.captured("t"))
                + " FROM " + asked
                + ") AS k(" + names + ")" + typed + " LEFT JOIN " + shape.only() + " t ON " + on;
    }

    /** What the row says, which may be equal to what was asked for and yet another text. */
    private String keyOrRequest(Column column) {
        String asked = "k.k" + shape.key().indexOf(column);
        if (textForm(column) && !column.asText()) {
            asked = "x" + shape.key().indexOf(column) + ".k";
        }
        return "CASE WHEN t.tableoid IS NULL THEN " + asked + " ELSE " + column.captured("t") + " END";
    }

    /** Arrays cannot be elements of an array as they are. */
    private static boolean textForm(Column column) {
        return column.asText() || column.shadowType().endsWith(ARRAY);
    }

    private static String requestType(Column column) {
        return textForm(column) ? "pg_catalog.text" : column.shadowType();
    }

    private static String request(Column column, String row) {
        return textForm(column)
                ? "pg_catalog.format('%s', " + row + "." + column.quoted() + ")"
                : row + "." + column.quoted();
    }

    private static String list(List<Column> columns, Function<Column, String> each) {
        return columns.stream().map(each).collect(Collectors.joining(", "));
    }
}
