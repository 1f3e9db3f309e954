package io.ddlrep.engine.capture;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.Quote;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * SQL for replicas: the apply function and the deny triggers of one table. Immutable.
 *
 * <p>The function belongs to the table's owner and reads a staging table with the shadow's columns. Values that travelled
 * as text become values again through {@code json_to_record}, which calls the type's input function for a string: a cast
 * from text might be one that a user defined.
 */
public final class ApplySql {
    /** The triggers that refuse direct writes. */
    static final List<String> DENY_TRIGGERS = List.of("!ddlrep_deny", "!ddlrep_deny_t");

    /** Stands in a text for the staging table, whose name the function learns when it runs. */
    private static final String STAGE = "\u0001";

    private static final String KEYED = SqlResource.text("sql/apply_keyed.sql");
    private static final String WHOLE_ROW = SqlResource.text("sql/apply_whole_row.sql");
    private static final Pattern PART = Pattern.compile("\\{\\{(\\w+)}}");

    private static final String PARAMETERS = "(text, boolean, int, text)";

    private static final String SEGMENT = "s.seq > $1 AND s.seq <= $2 AND s.op <> 'T'";

    private final TableShape shape;
    private final long tableId;
    private final int generation;

    /** For one table whose changes are of a generation. */
    public ApplySql(TableShape shape, long tableId, int generation) {
        this.shape = shape;
        this.tableId = tableId;
        this.generation = generation;
    }

    /** The name of an apply function, without its schema. */
    public static String functionName(long tableId) {
        return "apply_" + tableId;
    }

    /**
     * Creates or replaces the apply function.
     *
     * @param known it stands there, with its rights, which CREATE OR REPLACE keeps. The owner is set in any case: a function
     *     that somebody dropped must not come back as the installer's
     */
    public String function(boolean known) {
        String name = "ddlrep_apply." + functionName(tableId) + PARAMETERS;
        String body = shape.wholeRow() ? wholeRowBody() : keyedBody();
        String create = "CREATE OR REPLACE FUNCTION ddlrep_apply." + functionName(tableId)
                + "(stage text, ordered boolean, n int, ticket text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER"
                + CaptureSql.pinnedSettings() + " SET row_security = 'off'" + planning() + " AS " + Quote.dollars(body)
                + ";\n";
        String owned = create + "ALTER FUNCTION " + name + " OWNER TO " + Quote.name(shape.owner()) + ";\n";
        return known
                ? owned
                : owned + "REVOKE ALL ON FUNCTION " + name + " FROM PUBLIC;\nGRANT EXECUTE ON FUNCTION " + name
                        + " TO ddlrep_apply;\n";
    }

    /**
     * Without a key nothing but the whole row's text joins a change to its row: a hash of both sides is the only good plan,
     * and the planner, which knows nothing of a fresh staging table, may take a nested loop that writes out each row again
     * for each change (8 minutes where the join takes 2 seconds).
     */
    private String planning() {
        boolean noIndexHelps = shape.wholeRow() && shape.key().stream().allMatch(Column::asText);
        return noIndexHelps ? " SET enable_nestloop = off SET enable_mergejoin = off" : "";
    }

    /** Drops the apply function. */
    static String dropFunction(long tableId) {
        return "DROP FUNCTION IF EXISTS ddlrep_apply." + functionName(tableId) + PARAMETERS + ";\n";
    }

    /** Switches the deny triggers on, also where rows are applied: code of users runs there. */
    static String enable(TableShape shape) {
        return DENY_TRIGGERS.stream()
                .map(t -> "ALTER TABLE ONLY " + shape.quoted() + " ENABLE ALWAYS TRIGGER " + Quote.name(t) + ";\n")
                .collect(Collectors.joining());
    }

    /** The triggers that refuse direct writes. */
    public String deny() {
        String function = " FOR EACH STATEMENT EXECUTE FUNCTION ddlrep.deny('" + tableId + "');\n";
        return "CREATE OR REPLACE TRIGGER \"!ddlrep_deny\" BEFORE INSERT OR UPDATE OR DELETE ON " + shape.quoted()
                + function + "CREATE OR REPLACE TRIGGER \"!ddlrep_deny_t\" BEFORE TRUNCATE ON " + shape.quoted()
                + function + enable(shape);
    }

    private String keyedBody() {
        Map<String, String> parts = common();
        List<Column> written = shape.written();
        boolean replace = written.stream().anyMatch(c -> c.identityAlways() && !c.inKey());
        String images = list(written, c -> "n." + c.wire()) + " FROM (" + net(shape.captured())
                + ") n WHERE n.op IN ('I', 'U')";
        List<Column> settable =
                written.stream().filter(c -> !c.identityAlways()).toList();
        String action = settable.isEmpty()
                ? "DO NOTHING"
                : "DO UPDATE SET " + list(settable, c -> c.quoted() + " = excluded." + c.quoted());
        // A routed row has no xmax: for partitioned tables the rows that were there are counted before.
        String fresh = shape.partitioned() ? "true" : "xmax = 0";
        parts.put("replace", Boolean.toString(replace));
        parts.put(
                "counts",
                withStage("SELECT count(*), count(*) FILTER (WHERE s.op = 'I') - count(*) FILTER (WHERE s.op = 'D'),"
                        + " count(*) FILTER (WHERE s.op IN ('D', 'K')) FROM " + STAGE + " s WHERE " + SEGMENT));
        parts.put("delete", withStage(deleteOf("n.op IN ('D', 'K')")));
        parts.put("delete_all", withStage(deleteOf("true")));
        parts.put(
                "present",
                withStage("SELECT count(*) FROM (" + net(shape.key()) + ") n JOIN " + shape.only() + " t ON " + match()
                        + " WHERE n.op IN ('I', 'U')"));
        parts.put(
                "upsert",
                withStage("WITH w AS (" + insertInto(shape.quoted() + " AS t", written) + images + " ON CONFLICT ("
                        + list(shape.key(), Column::quoted)
                        + ") " + action + " RETURNING " + fresh
                        + " AS fresh) SELECT count(*), count(*) FILTER (WHERE w.fresh) FROM w"));
        parts.put("insert_new", withStage(insertChanges(written)));
        parts.put("insert_all", withStage(insertInto(shape.quoted(), written) + images));
        return fill(KEYED, parts);
    }

    /** Adds the row of every change in the segment; they are all of them additions. */
    private String insertChanges(List<Column> written) {
        return insertInto(shape.quoted(), written) + list(written, ApplySql::value) + from(written) + " WHERE "
                + SEGMENT;
    }

    /** Without columns to write, as in a table that has none or computes all, no list may stand there. */
    private String insertInto(String target, List<Column> written) {
        return "INSERT INTO " + target + " "
                + (written.isEmpty() ? "" : "(" + list(written, Column::quoted) + ") ")
                + "OVERRIDING SYSTEM VALUE SELECT ";
    }

    private Map<String, String> common() {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("table_id", Long.toString(tableId));
        parts.put("generation", Integer.toString(generation));
        parts.put("target", Quote.literal(shape.quoted()));
        parts.put("partitioned", Boolean.toString(shape.partitioned()));
        parts.put(
                "last_truncate",
                withStage("SELECT max(s.seq) FROM " + STAGE + " s WHERE s.op = 'T'"
                        + (shape.partitioned() ? " AND s.part IS NULL" : "")));
        parts.put(
                "next_truncate",
                shape.partitioned()
                        ? withStage("SELECT s.seq, s.part FROM " + STAGE
                                + " s WHERE s.op = 'T' AND s.seq > $1 ORDER BY s.seq LIMIT 1")
                        : "NULL");
        return parts;
    }

    /** The last change of each key in the segment. */
    private String net(List<Column> columns) {
        String keys = list(shape.key(), ApplySql::keyValue);
        return "SELECT DISTINCT ON (" + keys + ") s.op, " + list(columns, c -> ApplySql.value(c) + " AS " + c.wire())
                + from(columns) + " WHERE " + SEGMENT + " ORDER BY " + keys + ", s.seq DESC";
    }

    private String from(List<Column> columns) {
        List<Column> texts = columns.stream().filter(Column::asText).toList();
        if (texts.isEmpty()) {
            return " FROM " + STAGE + " s";
        }
        // Arrays, since a call has at most 100 arguments.
        String named = shape.packed()
                ? names(shape.captured()) + ", s." + Column.ARRAY
                : names(texts) + ", ARRAY[" + list(texts, c -> c.stored("s")) + "]";
        return " FROM " + STAGE + " s CROSS JOIN LATERAL json_to_record(json_object(" + named + ")) AS x("
                + list(texts, c -> c.wire() + " " + c.typeName()) + ")";
    }

    private static String names(List<Column> columns) {
        return "'{" + list(columns, Column::wire) + "}'";
    }

    private static String value(Column column) {
        return (column.asText() ? "x." : "s.") + column.wire();
    }

    private static String keyValue(Column column) {
        String collate = column.asText() || column.collation() == null ? "" : " COLLATE " + column.collation();
        return value(column) + collate;
    }

    private String match() {
        return shape.key().stream()
                .map(c -> "t." + c.quoted() + " " + Objects.requireNonNull(c.keyOperator()) + " n." + c.wire())
                .collect(Collectors.joining(" AND "));
    }

    private String deleteOf(String which) {
        return "DELETE FROM " + shape.only() + " t USING (" + net(shape.key()) + ") n WHERE " + which + " AND "
                + match();
    }

    private String wholeRowBody() {
        Map<String, String> parts = common();
        List<Column> written = shape.written();
        String row = image(written, c -> c.stored("s"));
        // A deferrable key does not identify a row, but an index on it finds the few that may be meant.
        List<Column> hints = shape.key().stream().filter(c -> !c.asText()).toList();
        String hinted = hints.stream().map(c -> ", s." + c.wire()).collect(Collectors.joining());
        String bag = "SELECT " + row + " AS image" + hinted
                + ", sum(CASE s.op WHEN 'D' THEN 1 ELSE -1 END) AS surplus FROM " + STAGE + " s WHERE " + SEGMENT
                + " GROUP BY 1" + hinted + " HAVING sum(CASE s.op WHEN 'D' THEN 1 ELSE -1 END) > 0";
        parts.put("removals", withStage("SELECT count(*) FROM " + STAGE + " s WHERE " + SEGMENT + " AND s.op = 'D'"));
        parts.put("insert_all", withStage(insertChanges(written)));
        parts.put("delete_ranked", withStage(deleteDuplicates(bag, "")));
        parts.put("delete_skipping", withStage(deleteDuplicates(bag, " FOR UPDATE OF t SKIP LOCKED")));
        parts.put("delete_waiting", withStage(deleteDuplicates(bag, " FOR UPDATE OF t")));
        parts.put(
                "insert",
                // In one pass: the planner, which knows nothing of a staging table, might join it with itself row by
                // row.
                withStage(insertInto(shape.quoted(), written) + list(written, c -> "a." + c.wire()) + " FROM (SELECT "
                        + written.stream()
                                .map(c -> ApplySql.value(c) + " AS " + c.wire() + ", ")
                                .collect(Collectors.joining())
                        + "s.op, count(*) FILTER (WHERE s.op = 'D') OVER (PARTITION BY " + row
                        + ") AS removed, row_number() OVER (PARTITION BY " + row + ", s.op ORDER BY s.seq) AS n"
                        + from(written) + " WHERE " + SEGMENT + ") a WHERE a.op = 'I' AND a.n > a.removed"));
        return fill(WHOLE_ROW, parts);
    }

    /** Takes away as many of each row as the bag says, all found in one join; says how many went, and how many had to. */
    private String deleteDuplicates(String bag, String locking) {
        String image = image(shape.written(), c -> "t." + c.quoted());
        String hint = shape.key().stream()
                .filter(c -> !c.asText())
                .map(c -> " AND t." + c.quoted() + " " + Objects.requireNonNull(c.keyOperator()) + " b." + c.wire())
                .collect(Collectors.joining());
        return "WITH b AS MATERIALIZED (" + bag
                + "), found AS (SELECT t.tableoid AS part, t.ctid AS place, b.image, b.surplus"
                + " FROM " + shape.only() + " t JOIN b ON b.image = " + image + hint + locking
                + "), victim AS (SELECT f.part, f.place, f.surplus, row_number() OVER (PARTITION BY f.image) AS n"
                + " FROM found f), gone AS (DELETE FROM " + shape.only()
                + " t USING victim v WHERE t.ctid = v.place AND t.tableoid = v.part AND v.n <= v.surplus RETURNING 1)"
                + " SELECT (SELECT count(*) FROM gone), (SELECT coalesce(sum(b.surplus), 0)::bigint FROM b)";
    }

    /** A whole row as one text, which compares alike on every node. */
    private static String image(List<Column> columns, Function<Column, String> value) {
        return "ROW(" + list(columns, value) + ")::text COLLATE \"C\"";
    }

    /** An expression whose value is the text with the staging table's name in it. */
    private static String withStage(String sql) {
        String literal = Quote.literal(sql);
        return literal.replace(STAGE, literal.startsWith("E") ? "' || src || E'" : "' || src || '");
    }

    private static String fill(String template, Map<String, String> parts) {
        return PART.matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(found.group(1)))));
    }

    private static String list(List<Column> columns, Function<Column, String> each) {
        return columns.stream().map(each).collect(Collectors.joining(", "));
    }

    /** Takes from roles the right to read staging tables, which live as long as the sessions that apply rows. */
    public static String release(Collection<String> roles) {
        return CaptureSql.revokeEach(
                " SELECT 'TABLE ' || c.oid::pg_catalog.regclass AS what, r.rolname FROM pg_catalog.pg_class c"
                        + " CROSS JOIN pg_catalog.aclexplode(c.relacl) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee"
                        + " WHERE c.relpersistence = 't' AND c.relowner = 'ddlrep_apply'::pg_catalog.regrole"
                        + " AND r.rolname = ANY (" + Quote.array(roles) + ")",
                "");
    }
}
