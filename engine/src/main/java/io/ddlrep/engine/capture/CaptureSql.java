package io.ddlrep.engine.capture;

import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.substrate.CaptureForm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * SQL for the origin: shadow tables, capture functions and triggers of one table. Immutable.
 *
 * <p>The functions run with the rights of {@code ddlrep_owner} in sessions of any user, whose {@code search_path} may hold
 * anything: so every name in them is qualified, and no operator stands in them without its schema. Functions whose rows
 * travel as text also pin the settings that text depends on.
 */
public final class CaptureSql {
    private static final String CHAR = "::pg_catalog.\"char\"";
    private static final String PINNED = " SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO, YMD'"
            + " SET intervalstyle = 'postgres' SET timezone = 'UTC' SET extra_float_digits = 1 SET bytea_output = 'hex'"
            + " SET lc_monetary = 'C' SET array_nulls = on SET xmloption = content";

    /** The only trigger that depends on columns: those of the key. */
    static final String KEY_TRIGGER = "!ddlrep_0k";

    /** The TRUNCATE trigger, which partitions have too. */
    static final String TRUNCATE_TRIGGER = "!ddlrep_1t";

    private static final String MARKING = "DECLARE n pg_catalog.int8; i pg_catalog.int8; u pg_catalog.int8;"
            + " d pg_catalog.int8; last pg_catalog.text; ";

    private final TableShape shape;
    private final long tableId;
    private final int generation;
    private final Set<String> known;
    private final boolean keyKept;
    private final CurrentRows current;

    /**
     * For one table.
     *
     * @param shape its shape on the origin
     * @param tableId its id
     * @param generation the generation that its changes go to
     */
    public CaptureSql(TableShape shape, long tableId, int generation) {
        this(shape, tableId, generation, Set.of(), false);
    }

    /**
     * For one table that has capture functions.
     *
     * @param shape its shape on the origin
     * @param tableId its id
     * @param generation the generation that its changes go to
     * @param known last letters of functions that stand there, with owner and rights, which CREATE OR REPLACE keeps
     * @param keyKept the key is what it was when they were made
     */
    CaptureSql(TableShape shape, long tableId, int generation, Set<String> known, boolean keyKept) {
        this.shape = shape;
        this.tableId = tableId;
        this.generation = generation;
        this.known = Set.copyOf(known);
        this.keyKept = keyKept;
        this.current = new CurrentRows(shape, tableId);
    }

    /** The settings that text forms of values depend on, as function options. */
    static String pinnedSettings() {
        return PINNED;
    }

    /** The name of a shadow table, without its schema. */
    public static String shadowName(long tableId, int generation) {
        return "s" + tableId + "_" + generation;
    }

    /** The qualified name of the shadow table. */
    public String shadow() {
        return "ddlrep_shadow." + shadowName(tableId, generation);
    }

    /** The column list of the shadow table and of staging tables, as SQL. */
    public static String columnList(TableShape shape) {
        StringBuilder sql = new StringBuilder("seq bigint, xid xid8, op \"char\"");
        if (shape.partitioned()) {
            sql.append(", part bigint");
        }
        return sql.append(valueColumns(shape)).toString();
    }

    /** Those of its columns that hold a row's values, each with a comma before it. */
    static String valueColumns(TableShape shape) {
        return shape.packed()
                ? ", " + Column.ARRAY + " pg_catalog.text[]"
                : also(shape.captured(), c -> c.wire() + " " + c.shadowType());
    }

    /** Creates the shadow table. */
    public String createShadow() {
        String columns = columnList(shape)
                .replaceFirst(
                        "^seq bigint, xid xid8, op \"char\"",
                        "seq bigint NOT NULL DEFAULT pg_catalog.nextval('ddlrep.change_seq'::pg_catalog.regclass),"
                                + " xid xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(), op \"char\" NOT NULL");
        return "CREATE TABLE " + shadow() + " (" + columns + ") WITH (autovacuum_vacuum_scale_factor = 0,"
                + " autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1,"
                + " autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);\n"
                + "ALTER TABLE " + shadow() + " OWNER TO ddlrep_owner;\n"
                + "GRANT SELECT ON " + shadow() + " TO " + Quote.name(shape.owner()) + ";\n"
                + "GRANT SELECT, DELETE, TRUNCATE ON " + shadow() + " TO ddlrep_service;\n";
    }

    /**
     * Takes the rights of a former owner away, who could read what is written from now on, and lets the owner read the shadow
     * table.
     */
    public String changeReader() {
        return revokeReaders(tableId) + "GRANT SELECT ON " + shadow() + " TO " + Quote.name(shape.owner()) + ";\n";
    }

    /**
     * Takes all rights on a table's shadow tables and functions away from owners that it has or had: the last rows of the table
     * stay until every replica has them, and a role with rights on them could not be dropped.
     */
    static String revokeReaders(long tableId) {
        return revokeEach(
                " SELECT pg_catalog.format('TABLE ddlrep_shadow.%I', c.relname) AS what, r.rolname"
                        + " FROM pg_catalog.pg_class c"
                        + " CROSS JOIN pg_catalog.aclexplode(c.relacl) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee"
                        + " WHERE c.relnamespace = 'ddlrep_shadow'::pg_catalog.regnamespace AND c.relkind = 'r'"
                        + " AND pg_catalog.starts_with(c.relname, 's" + tableId + "_') AND a.grantee <> c.relowner"
                        + " AND r.rolname <> 'ddlrep_service'"
                        + " UNION SELECT 'FUNCTION ' || f.oid::pg_catalog.regprocedure, r.rolname FROM pg_catalog.pg_proc f"
                        + " CROSS JOIN pg_catalog.aclexplode(f.proacl) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee"
                        + " WHERE f.pronamespace = 'ddlrep_shadow'::pg_catalog.regnamespace"
                        + " AND pg_catalog.starts_with(f.proname, 'cap_" + tableId + "_') AND a.grantee <> f.proowner",
                // Waits for the purger, which may be dropping an old generation: to change a row of the catalog that
                // goes meanwhile would be an error.
                "IF pg_catalog.starts_with(g.what, 'TABLE') THEN EXECUTE 'LOCK ' || g.what || ' IN ACCESS SHARE MODE'; END IF;");
    }

    /**
     * Revokes all rights on each {@code what} of a query from its {@code rolname}. A table that goes meanwhile is none to revoke
     * from.
     *
     * @param query gives {@code what}, as REVOKE names it, and {@code rolname}
     * @param first PL/pgSQL that runs before each, with the row as {@code g}
     */
    static String revokeEach(String query, String first) {
        return "DO "
                + Quote.dollars("DECLARE g record; BEGIN FOR g IN" + query + " LOOP BEGIN " + first
                        + " EXECUTE pg_catalog.format('REVOKE ALL ON %s FROM %I', g.what, g.rolname);"
                        + " EXCEPTION WHEN undefined_table THEN NULL; END; END LOOP; END")
                + ";\n";
    }

    /** The functions that capture this table's changes into the generation, for every form. */
    public String functions() {
        StringBuilder sql = new StringBuilder();
        if (shape.wholeRow()) {
            wholeRowFunctions(sql);
        } else {
            sql.append(current.function(keyKept));
            if (byStatement()) {
                statementFunctions(sql);
            } else {
                rowFunctions(sql);
            }
        }
        if (shape.partitioned()) {
            sql.append(function(
                    "t",
                    "INSERT INTO " + shadow() + " (op, part) VALUES ('T'" + CHAR
                            + ", TG_ARGV[0]::pg_catalog.int8); RETURN NULL;"));
        } else {
            sql.append(function("t", insertOp("T") + "RETURN NULL;"));
        }
        return sql.toString();
    }

    private void wholeRowFunctions(StringBuilder sql) {
        List<Column> all = shape.captured();
        sql.append(function("i", added("I", all) + "RETURN NULL;"));
        sql.append(function("u", removed(all) + added("I", all) + "RETURN NULL;"));
        sql.append(function("d", removed(all) + "RETURN NULL;"));
    }

    /**
     * Statement triggers fire when all of a statement is done. What changed the same rows meanwhile was captured before: by
     * another part of a MERGE or a WITH, by a function that the statement calls. So each capture leaves a mark, until the
     * transaction ends: how many rows of the table its session had inserted, updated and deleted by then. One that finds other
     * rows than its own changed since the last mark appends what its rows are now.
     */
    private void statementFunctions(StringBuilder sql) {
        List<Column> all = shape.captured();
        String added = appended(current.ofTable("ddlrep_new"));
        sql.append(function("i", MARKING, added("I", all) + mark("i", added)));
        sql.append(function("u", MARKING, added("U", all) + mark("u", added)));
        sql.append(function("d", MARKING, removed(shape.key()) + mark("d", present(current.ofTable("ddlrep_old")))));
        // Fires once for each row, when the statement is done: a function may have given the key to another row.
        sql.append(function(
                "k",
                insert("K", "OLD", shape.key()) + "IF " + lastMark() + " OPERATOR(pg_catalog.<>) '' THEN "
                        + present(current.ofRow("OLD")) + "END IF; RETURN NULL;"));
    }

    private String lastMark() {
        return "pg_catalog.current_setting('ddlrep.mark_" + tableId + "', true)";
    }

    private String mark(String kind, String append) {
        return "GET DIAGNOSTICS n = ROW_COUNT; IF n OPERATOR(pg_catalog.>) 0 THEN"
                + " i := pg_catalog.pg_stat_get_xact_tuples_inserted(TG_RELID);"
                + " u := pg_catalog.pg_stat_get_xact_tuples_updated(TG_RELID);"
                + " d := pg_catalog.pg_stat_get_xact_tuples_deleted(TG_RELID); last := " + lastMark() + ";"
                + " IF last OPERATOR(pg_catalog.<>) '' THEN "
                + "IF last::pg_catalog.int8 OPERATOR(pg_catalog.<>) " + packed(kind) + " THEN " + append
                + "END IF; END IF; last := pg_catalog.set_config('ddlrep.mark_" + tableId + "', " + packed("")
                + "::pg_catalog.text, true); END IF; RETURN NULL;";
    }

    /** The three counts in one number, of which {@code minus} is taken before the statement's own rows. */
    private static String packed(String minus) {
        String[] counts = {"i", "u", "d"};
        for (int k = 0; k < counts.length; k++) {
            String count = counts[k].equals(minus) ? "(" + minus + " OPERATOR(pg_catalog.-) n)" : counts[k];
            counts[k] = k == 0 ? count : "(" + count + " OPERATOR(pg_catalog.<<) " + 21 * k + ")";
        }
        return "(" + String.join(" OPERATOR(pg_catalog.#) ", counts) + ")";
    }

    private void rowFunctions(StringBuilder sql) {
        List<Column> all = shape.captured();
        // A row that was changed again before the statement ended is captured in the wrong order: its inner change
        // comes first. Its version then carries an xmax (so may one that was only locked), and capture looks again.
        String stale = "IF NEW.xmax OPERATOR(pg_catalog.<>) '0'::pg_catalog.xid THEN ";
        String again = appended(current.ofRow("NEW")) + "END IF; ";
        // Without triggers of users, only a function that the statement calls can give a deleted row's key to
        // another: then this transaction has inserted or updated before.
        String marked = lastMark() + " OPERATOR(pg_catalog.<>) ''";
        String mark = shape.mayBeStale()
                ? ""
                : "IF (" + marked + ") IS NOT TRUE THEN PERFORM pg_catalog.set_config('ddlrep.mark_" + tableId
                        + "', '1', true); END IF; ";
        String look = present(current.ofRow("OLD"));
        sql.append(function("i", added("I", all) + stale + again + mark + "RETURN NULL;"));
        sql.append(function(
                "u", added("U", all) + stale + appended(current.ofRow("OLD")) + again + mark + "RETURN NULL;"));
        sql.append(function(
                "d",
                removed(shape.key()) + (shape.mayBeStale() ? look : "IF " + marked + " THEN " + look + "END IF; ")
                        + "RETURN NULL;"));
        sql.append(function("k", insert("K", "OLD", shape.key()) + present(current.ofRow("OLD")) + "RETURN NULL;"));
    }

    /** Appends what the rows that a FROM item says are now, or that there are none. */
    private String appended(String from) {
        String values = shape.packed() ? ", r." + Column.ARRAY : also(shape.captured(), c -> "r." + c.wire());
        return "INSERT INTO " + shadow() + " (op" + targets(shape.captured()) + ") SELECT r.op" + values + " FROM "
                + from + "; ";
    }

    /** Appends what the rows that a FROM item says are now, where there are any. */
    private String present(String from) {
        return appended(from + " WHERE r.op OPERATOR(pg_catalog.=) 'U'" + CHAR);
    }

    private boolean byStatement() {
        return shape.form() == CaptureForm.STATEMENT;
    }

    private String added(String op, List<Column> columns) {
        return byStatement() ? insertFrom(op, "ddlrep_new", columns) : insert(op, "NEW", columns);
    }

    private String removed(List<Column> columns) {
        return byStatement() ? insertFrom("D", "ddlrep_old", columns) : insert("D", "OLD", columns);
    }

    /**
     * The triggers by name, in firing order. A name stands for one definition (but for the columns of the key), so that
     * triggers which are there already can be left alone: they cannot be dropped or replaced while a transaction has
     * deferred trigger events pending on the table.
     */
    public Map<String, String> triggers() {
        Map<String, String> sql = new LinkedHashMap<>();
        if (!shape.wholeRow()) {
            trigger(sql, KEY_TRIGGER, "AFTER UPDATE", "FOR EACH ROW WHEN (" + keyChanges() + ")", "k");
        }
        if (!shape.partitioned()) {
            trigger(sql, TRUNCATE_TRIGGER, "AFTER TRUNCATE", "FOR EACH STATEMENT", "t");
        }
        if (!byStatement()) {
            trigger(sql, "!ddlrep_2i", "AFTER INSERT", "FOR EACH ROW", "i");
            trigger(sql, "!ddlrep_2u", "AFTER UPDATE", "FOR EACH ROW", "u");
            trigger(sql, "!ddlrep_2d", "AFTER DELETE", "FOR EACH ROW", "d");
            return sql;
        }
        String added = "REFERENCING NEW TABLE AS ddlrep_new FOR EACH STATEMENT";
        String removed = "REFERENCING OLD TABLE AS ddlrep_old FOR EACH STATEMENT";
        String both = "REFERENCING OLD TABLE AS ddlrep_old NEW TABLE AS ddlrep_new FOR EACH STATEMENT";
        trigger(sql, "!ddlrep_1i", "AFTER INSERT", added, "i");
        if (shape.wholeRow()) {
            trigger(sql, "!ddlrep_1w", "AFTER UPDATE", both, "u");
        } else {
            trigger(sql, "!ddlrep_1u", "AFTER UPDATE", added, "u");
        }
        trigger(sql, "!ddlrep_1d", "AFTER DELETE", removed, "d");
        return sql;
    }

    private String keyChanges() {
        return shape.key().stream()
                .map(c -> c.asText()
                        ? "pg_catalog.format('%s', OLD." + c.quoted()
                                + ") OPERATOR(pg_catalog.<>) pg_catalog.format('%s', NEW." + c.quoted() + ")"
                        : "OLD." + c.quoted() + " IS DISTINCT FROM NEW." + c.quoted())
                .collect(Collectors.joining(" OR "));
    }

    private String insertFrom(String op, String table, List<Column> columns) {
        return "INSERT INTO " + shadow() + " (op" + targets(columns) + ") SELECT '" + op + "'" + CHAR
                + values(shape, columns, c -> c.captured("r")) + " FROM " + table + " r; ";
    }

    private String insert(String op, String row, List<Column> columns) {
        return "INSERT INTO " + shadow() + " (op" + targets(columns) + ") VALUES ('" + op + "'" + CHAR
                + values(shape, columns, c -> c.captured(row)) + "); ";
    }

    private String insertOp(String op) {
        return "INSERT INTO " + shadow() + " (op) VALUES ('" + op + "'" + CHAR + "); ";
    }

    private String function(String suffix, String body) {
        return function(suffix, "", body);
    }

    private String function(String suffix, String declarations, String body) {
        boolean text = shape.captured().stream().anyMatch(Column::asText) || current.keyAsText();
        String name = "ddlrep_shadow.cap_" + tableId + "_" + suffix + "()";
        String create = "CREATE OR REPLACE FUNCTION " + name + " RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER"
                + (text ? PINNED : "") + " AS " + Quote.dollars(declarations + "BEGIN " + body + " END") + ";\n";
        if (known.contains(suffix)) {
            return create;
        }
        return create + "ALTER FUNCTION " + name + " OWNER TO ddlrep_owner;\nREVOKE ALL ON FUNCTION " + name
                + " FROM PUBLIC;\n"
                // Who makes or attaches a partition gives it the triggers of its parent.
                + (shape.partitioned()
                        ? "GRANT EXECUTE ON FUNCTION " + name + " TO " + Quote.name(shape.owner()) + ";\n"
                        : "");
    }

    private void trigger(Map<String, String> sql, String name, String event, String each, String function) {
        sql.put(
                name,
                "CREATE OR REPLACE TRIGGER " + Quote.name(name) + " " + event + " ON " + shape.quoted() + " " + each
                        + " EXECUTE FUNCTION ddlrep_shadow.cap_" + tableId + "_" + function + "();\n");
    }

    /**
     * The TRUNCATE trigger of a partition: the statement fires on partitions, never on the tree, so each has one, and it
     * says which partition it was.
     *
     * @param leaf the partition
     * @param leafId its table id
     * @param rootId the table id of the topmost partitioned table
     */
    public static String leafTruncateTrigger(TableShape leaf, long leafId, long rootId) {
        return "CREATE OR REPLACE TRIGGER \"!ddlrep_1t\" AFTER TRUNCATE ON " + leaf.quoted()
                + " FOR EACH STATEMENT EXECUTE FUNCTION ddlrep_shadow.cap_" + rootId + "_t('" + leafId + "');\n";
    }

    /** Drops every capture function that a table id may have; its triggers are gone by then. */
    public static String dropFunctions(long tableId) {
        StringBuilder sql = new StringBuilder();
        for (String suffix : List.of("i", "u", "d", "k", "t")) {
            sql.append("DROP FUNCTION IF EXISTS ddlrep_shadow.cap_")
                    .append(tableId)
                    .append('_')
                    .append(suffix)
                    .append("();\n");
        }
        return sql.append(CurrentRows.drop(tableId)).toString();
    }

    /** Writes into the shadow that the table was emptied. */
    public String emptied() {
        return insertOp("T");
    }

    /**
     * Writes all rows of the table into its shadow as they are now, behind a barrier: values that the origin computed
     * travel as rows. Only reads columns of a table, so no code of users runs in it.
     */
    public String reimage() {
        List<Column> all = shape.captured();
        return insertOp("T") + "INSERT INTO " + shadow() + " (op" + targets(all) + ") SELECT 'I'" + CHAR
                + values(shape, all, c -> c.captured("r")) + " FROM " + shape.only() + " r;";
    }

    private String targets(List<Column> columns) {
        return shape.packed() ? ", " + Column.ARRAY : also(columns, Column::wire);
    }

    /**
     * Values of captured columns as SQL, for the columns of {@link #columnList} behind its own, each with a comma before it.
     *
     * @param columns those that have values, in any order; in an array the others are null
     */
    public static String values(TableShape shape, List<Column> columns, Function<Column, String> each) {
        if (!shape.packed()) {
            return also(columns, each);
        }
        return shape.captured().stream()
                .map(c -> columns.contains(c) ? each.apply(c) : "NULL")
                .collect(Collectors.joining(", ", ", ARRAY[", "]::pg_catalog.text[]"));
    }

    /** Behind another item of a list; a table may have no columns. */
    private static String also(List<Column> columns, Function<Column, String> each) {
        return columns.stream().map(c -> ", " + each.apply(c)).collect(Collectors.joining());
    }
}
