package io.ddlrep.examples.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Compares whole nodes, and looks for what an operation may have left behind. Used by one thread, when nobody writes. */
final class Consistency {
    private static final String TABLES = "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND n.nspname !~"
            + " '^(pg_|information_schema$|ddlrep)' ORDER BY 1";

    private static final String REPLICATED = "SELECT table_id, publication, schema_name, table_name, generation,"
            + " key_columns, capture, shape, to_regclass(format('%I.%I', schema_name, table_name)) = relid"
            + " FROM ddlrep.replicated_table ORDER BY table_id";

    /** Tables that rows are captured from, and the one generation they go to. */
    private static final String GENERATIONS = "SELECT t.table_name, t.generation, array_agg(g.generation)"
            + " FROM ddlrep.replicated_table t LEFT JOIN ddlrep.shadow_generation g ON g.table_id = t.table_id"
            + " AND g.closed_by IS NULL WHERE t.capture <> 'none' GROUP BY t.table_id"
            + " HAVING array_agg(g.generation) IS DISTINCT FROM ARRAY[t.generation]";

    /** Generations that stand open although their table is not captured any more. */
    private static final String OPEN = "SELECT g.table_id, g.generation FROM ddlrep.shadow_generation g"
            + " LEFT JOIN ddlrep.replicated_table t ON t.table_id = g.table_id AND t.capture <> 'none'"
            + " WHERE g.closed_by IS NULL AND t.table_id IS NULL";

    private static final String CARRY_TABLES =
            "SELECT relname FROM pg_class WHERE relnamespace = 'ddlrep_shadow'::regnamespace AND relname ~ '^carry_'";

    private final List<PgNode> nodes;

    Consistency(List<PgNode> nodes) {
        this.nodes = nodes;
    }

    void check(String context) throws SQLException {
        for (PgNode node : nodes) {
            assertThat(state(node)).as("%s%s", context, node).isEqualTo(state(nodes.get(0)));
            assertThat(node.queryRows(REPLICATED))
                    .as("%sreplicated tables of %s", context, node)
                    .isEqualTo(nodes.get(0).queryRows(REPLICATED))
                    .allMatch(row -> row.endsWith("|t"));
            assertThat(node.queryRows("SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'ddlrep:%'"))
                    .isEmpty();
            assertThat(node.queryRows(CARRY_TABLES)).isEmpty();
            assertThat(node.queryRows("SELECT * FROM ddlrep.drift_event")).isEmpty();
        }
        PgNode origin = nodes.get(0);
        assertThat(origin.queryRows(GENERATIONS)).as(context).isEmpty();
        assertThat(origin.queryRows(OPEN)).as(context).isEmpty();
        assertThat(origin.queryRows(
                        "SELECT op, state FROM ddlrep.ddl_operation WHERE state NOT IN ('committed', 'rolled_back')"))
                .isEmpty();
        assertThat(
                        origin.queryRows(
                                "SELECT o.op, o.state, d.outcome FROM ddlrep.ddl_operation o LEFT JOIN ddlrep.decision d"
                                        + " USING (op) WHERE (o.state = 'committed') <> (d.outcome IS NOT DISTINCT FROM 'commit')"))
                .isEmpty();
        assertThat(origin.queryRows("SELECT node, state, reason FROM ddlrep.publication_node WHERE state <> 'active'"))
                .isEmpty();
        triggers(context);
    }

    /** Each table that rows are captured from has its triggers on the origin, and each replica denies writes to it. */
    private void triggers(String context) throws SQLException {
        String missing = "SELECT t.table_name FROM ddlrep.replicated_table t WHERE NOT EXISTS (SELECT FROM pg_trigger g"
                + " WHERE g.tgrelid = t.relid AND g.tgname ~ '%s' AND g.tgenabled = '%s')";
        assertThat(nodes.get(0).queryRows(missing.formatted("^!ddlrep_[12]i$", "O") + " AND t.capture <> 'none'"))
                .as(context)
                .isEmpty();
        for (PgNode replica : nodes.subList(1, nodes.size())) {
            assertThat(replica.queryRows(missing.formatted("^!ddlrep_deny$", "A")))
                    .as(context)
                    .isEmpty();
        }
    }

    private static List<String> state(PgNode node) throws SQLException {
        try (Connection connection = node.connect()) {
            List<String> lines = new ArrayList<>(CatalogDump.of(connection).lines());
            for (String table : node.queryRows(TABLES)) {
                lines.add("rows of " + table + ": " + TableDump.checksum(connection, table));
            }
            return lines;
        }
    }
}
