package io.ddlrep.gateway.admin;

import io.ddlrep.engine.control.GroupStatus;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the group's control schemas say, read in sessions of the service role. Thread-safe; blocks. */
public final class GroupTables {
    private static final Source TABLES = new Source(
            "tables",
            """
            SELECT t.publication, t.schema_name AS schema, t.table_name AS "table", t.generation,
                   array_to_string(t.key_columns, ', ') AS key_columns, t.capture
              FROM ddlrep.replicated_table t ORDER BY 1, 2, 3""",
            Column.text("publication"),
            Column.text("schema"),
            Column.text("table"),
            Column.number("generation"),
            Column.text("key_columns"),
            Column.text("capture"));
    private static final Source OPERATIONS = new Source(
            "operations",
            """
            SELECT o.op, array_to_string(o.publications, ', ') AS publications, array_to_string(o.nodes, ', ') AS nodes, o.state,
                   o.actor, o.client_address, o.coordinator, o.client_pid, o.started, o.finished,
                   (SELECT string_agg(coalesce(s ->> 'text', s #>> '{}'), '; ') FROM jsonb_array_elements(o.statements) s)
                       AS statements,
                   o.result
              FROM ddlrep.ddl_operation o ORDER BY o.started DESC LIMIT 1000""",
            Column.text("op"),
            Column.text("publications"),
            Column.text("nodes"),
            Column.text("state"),
            Column.text("actor"),
            Column.text("client_address"),
            Column.text("coordinator"),
            Column.number("client_pid"),
            Column.text("started"),
            Column.text("finished"),
            Column.text("statements"),
            Column.text("result"));
    private static final Source STEPS = new Source(
            "steps",
            """
            SELECT s.op, s.node, s.step, s.state, s.pid, s.started, s.ended, s.detail
              FROM ddlrep.ddl_step s ORDER BY s.started DESC LIMIT 10000""",
            Column.text("op"),
            Column.text("node"),
            Column.text("step"),
            Column.text("state"),
            Column.number("pid"),
            Column.text("started"),
            Column.text("ended"),
            Column.text("detail"));
    private static final Source LOCKS = new Source(
            "locks",
            """
            SELECT l.pid, a.application_name, a.usename AS "user", a.state, t.schema_name || '.' || t.table_name AS "table", l.mode,
                   l.granted, extract(epoch FROM clock_timestamp() - a.query_start)::float8 AS seconds, a.query
              FROM pg_locks l
              JOIN ddlrep.replicated_table t ON t.relid = l.relation
              LEFT JOIN pg_stat_activity a ON a.pid = l.pid
             WHERE l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
             ORDER BY l.granted, l.pid""",
            Column.number("pid"),
            Column.text("application_name"),
            Column.text("user"),
            Column.text("state"),
            Column.text("table"),
            Column.text("mode"),
            Column.flag("granted"),
            new Column("seconds", ColumnType.DOUBLE),
            Column.text("query"));
    private static final Source DRIFT = new Source(
            "drift",
            """
            SELECT e.at, e.actor, e.tag, e.object, e.query FROM ddlrep.drift_event e ORDER BY e.at DESC LIMIT 1000""",
            Column.text("at"),
            Column.text("actor"),
            Column.text("tag"),
            Column.text("object"),
            Column.text("query"));
    private static final List<Column> NODES = List.of(
            Column.text("name"),
            Column.text("host"),
            Column.number("port"),
            Column.text("database"),
            Column.text("role"),
            Column.text("state"),
            Column.text("problem"),
            Column.text("server_version"),
            Column.number("schema_version"),
            Column.number("prepared"));
    private static final List<Column> PUBLICATIONS = List.of(
            Column.text("name"),
            Column.text("origin"),
            Column.text("scope"),
            Column.text("schemas"),
            Column.number("tables"),
            Column.number("replicas"));
    private static final List<Column> BACKLOG = List.of(
            Column.text("publication"),
            Column.text("node"),
            Column.text("state"),
            Column.text("reason"),
            Column.flag("behind"),
            Column.text("applied_at"));
    private static final List<Column> IN_DOUBT_COLUMNS = List.of(
            Column.text("node"),
            Column.text("gid"),
            Column.text("op"),
            Column.text("owner"),
            Column.text("prepared"),
            Column.text("decision"));
    private static final String IN_DOUBT = """
            SELECT x.gid, x.owner, x.prepared
              FROM pg_prepared_xacts x, ddlrep.self s
             WHERE x.database = current_database() AND starts_with(x.gid, 'ddlrep:' || s.group_id || ':') ORDER BY 1""";
    private static final String DECISION = "SELECT d.outcome FROM ddlrep.decision d WHERE d.op = $1";
    private static final int OPERATION = 3;

    private final NodeAddress origin;
    private final Function<NodeAddress, NodeSession> opener;
    private final GroupView group;

    /**
     * A table that is a query's answer.
     *
     * @param name its name
     * @param sql the query; gives the columns by their names
     * @param columns its columns
     */
    private record Source(String name, String sql, List<Column> columns) {
        private Source(String name, String sql, Column... columns) {
            this(name, sql, List.of(columns));
        }
    }

    /** How the group is. May block. */
    public interface GroupView {
        /** Its status. */
        GroupStatus status();

        /** Its nodes, by name. */
        List<NodeAddress> nodes();
    }

    /**
     * Makes it.
     *
     * @param origin the node before which the gateway stands
     * @param opener opens a session of the service role, which is closed here
     * @param group tells how the group is
     */
    public GroupTables(NodeAddress origin, Function<NodeAddress, NodeSession> opener, GroupView group) {
        this.origin = origin;
        this.opener = opener;
        this.group = group;
    }

    /** The tables. */
    public List<AdminTable> tables() {
        return List.of(
                new AdminTable("nodes", NODES, this::nodes),
                new AdminTable("publications", PUBLICATIONS, this::publications),
                new AdminTable("backlog", BACKLOG, this::backlog),
                ofOrigin(TABLES),
                ofOrigin(OPERATIONS),
                ofOrigin(STEPS),
                ofEach(LOCKS),
                ofEach(DRIFT),
                new AdminTable("indoubt", IN_DOUBT_COLUMNS, this::inDoubt));
    }

    private AdminTable ofOrigin(Source source) {
        return new AdminTable(
                source.name(),
                source.columns(),
                () -> read(origin, source.sql()).stream()
                        .map(row -> values(row, 0, source.columns()))
                        .toList());
    }

    /** The same of every node that can be reached, behind the node's name; SHOW NODES tells of the others. */
    private AdminTable ofEach(Source source) {
        List<Column> all = new ArrayList<>(List.of(Column.text("node")));
        all.addAll(source.columns());
        return new AdminTable(source.name(), List.copyOf(all), () -> {
            List<@Nullable Object[]> rows = new ArrayList<>();
            for (NodeAddress node : group.nodes()) {
                for (Row row : reachable(node, source.sql())) {
                    @Nullable Object[] values = values(row, 1, source.columns());
                    values[0] = node.name();
                    rows.add(values);
                }
            }
            return rows;
        });
    }

    private static @Nullable Object[] values(Row row, int before, List<Column> columns) {
        @Nullable Object[] values = new @Nullable Object[before + columns.size()];
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            String text = row.get(column.name());
            values[before + i] = text == null ? null : column.type().parse(text);
        }
        return values;
    }

    private List<Row> read(NodeAddress node, String sql, @Nullable Object... parameters) {
        try (NodeSession session = opener.apply(node)) {
            session.execute("SET search_path = pg_catalog, pg_temp");
            return session.query(sql, parameters);
        }
    }

    private List<Row> reachable(NodeAddress node, String sql) {
        try {
            return read(node, sql);
        } catch (NodeException e) {
            if (node.name().equals(origin.name()) || !e.error().sqlState().startsWith("08")) {
                throw e;
            }
            return List.of();
        }
    }

    private List<@Nullable Object[]> nodes() {
        GroupStatus status = group.status();
        Set<String> origins = status.publications().stream()
                .map(GroupStatus.PublicationStatus::origin)
                .collect(Collectors.toCollection(TreeSet::new));
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (NodeAddress address : group.nodes()) {
            for (GroupStatus.Node node : status.nodes()) {
                if (node.name().equals(address.name())) {
                    rows.add(new @Nullable Object[] {
                        node.name(),
                        address.host(),
                        (long) address.port(),
                        address.database(),
                        origins.contains(node.name()) ? "origin" : "replica",
                        node.isLost() ? "lost" : "up",
                        node.problem(),
                        node.serverVersion(),
                        (long) node.schemaVersion(),
                        (long) node.prepared()
                    });
                }
            }
        }
        return rows;
    }

    private List<@Nullable Object[]> publications() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (GroupStatus.PublicationStatus each : group.status().publications()) {
            rows.add(new @Nullable Object[] {
                each.name(),
                each.origin(),
                each.scope(),
                String.join(", ", each.schemas()),
                (long) each.tables(),
                (long) each.replicas().size()
            });
        }
        return rows;
    }

    private List<@Nullable Object[]> backlog() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (GroupStatus.PublicationStatus each : group.status().publications()) {
            for (GroupStatus.Replica replica : each.replicas()) {
                rows.add(new @Nullable Object[] {
                    each.name(),
                    replica.node(),
                    replica.state(),
                    replica.reason(),
                    replica.behind().orElse(null),
                    replica.appliedAt()
                });
            }
        }
        return rows;
    }

    private List<@Nullable Object[]> inDoubt() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (NodeAddress node : group.nodes()) {
            for (Row row : reachable(node, IN_DOUBT)) {
                // ddlrep:<group>:<node>:<op>
                String[] parts = row.text("gid").split(":", OPERATION + 1);
                String op = parts.length > OPERATION ? parts[OPERATION] : "";
                String decision = read(origin, DECISION, op).stream()
                        .map(each -> each.text("outcome"))
                        .findFirst()
                        .orElse("none yet");
                rows.add(new @Nullable Object[] {
                    node.name(), row.text("gid"), op, row.text("owner"), row.text("prepared"), decision
                });
            }
        }
        return rows;
    }
}
