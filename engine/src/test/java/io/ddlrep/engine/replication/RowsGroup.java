package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.GroupKey;
import io.ddlrep.engine.control.Installation;
import io.ddlrep.engine.control.NodeIdentity;
import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.OperationSession;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Refresh;
import io.ddlrep.engine.substrate.RefreshRequest;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Skip;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A group with its control schema and one publication {@code p}: origin n1, all other nodes replicas. Used by one thread,
 * except where a method says otherwise.
 */
final class RowsGroup implements AutoCloseable {
    static final String PUBLICATION = "p";
    private static final byte[] KEY = new byte[32];

    private final PgGroup nodes;
    private final NodeAccess access;
    private TriggerSubstrate substrate;
    private final JdbcConnector connector = new JdbcConnector(Map.of());
    private int operations;

    private RowsGroup(PgGroup nodes) {
        this.nodes = nodes;
        Map<String, NodeAddress> addresses = new LinkedHashMap<>();
        nodes.nodes().forEach(node -> addresses.put(node.name(), address(node)));
        PgNode first = nodes.node(1);
        this.access = new NodeAccess(
                connector,
                addresses,
                new Credentials(first.superuser(), first.password()),
                new Credentials("ddlrep_apply", null));
        this.substrate = new TriggerSubstrate(access, "n1");
    }

    static RowsGroup create(String name, int size) throws SQLException {
        return of(PgGroup.create(name, size));
    }

    static RowsGroup of(PgGroup nodes) throws SQLException {
        RowsGroup group = new RowsGroup(nodes);
        group.install();
        return group;
    }

    private static NodeAddress address(PgNode node) {
        return new NodeAddress(node.name(), node.host(), node.port(), node.database());
    }

    private void install() throws SQLException {
        List<Installation.Member> members = new ArrayList<>();
        for (PgNode node : nodes.nodes()) {
            try (NodeSession session = open(node)) {
                members.add(new Installation.Member(address(node), NodeIdentity.read(session)));
            }
        }
        Installation installation = new Installation("test", "n1", members, GroupKey.of(KEY), Optional.empty());
        List<String> sql = new ArrayList<>();
        sql.add("INSERT INTO ddlrep.publication VALUES ('" + PUBLICATION + "', 'n1', 'tables')");
        for (PgNode replica : replicas()) {
            sql.add("INSERT INTO ddlrep.publication_node (publication, node) VALUES ('" + PUBLICATION + "', '"
                    + replica.name() + "')");
        }
        for (PgNode node : nodes.nodes()) {
            try (NodeSession session = open(node)) {
                new ControlInstaller().install(session, installation.forNode(node.name()));
            }
            node.execute(sql.toArray(String[]::new));
        }
    }

    PgNode origin() {
        return nodes.node(1);
    }

    List<PgNode> replicas() {
        return nodes.nodes().subList(1, nodes.size());
    }

    PgGroup nodes() {
        return nodes;
    }

    TriggerSubstrate substrate() {
        return substrate;
    }

    /** After a server was restarted: its sessions are gone, as a new process would have none. */
    void forgetSessions() {
        substrate.close();
        substrate = new TriggerSubstrate(access, "n1");
    }

    NodeAccess access() {
        return access;
    }

    String nextOperation() {
        operations++;
        return "op" + operations;
    }

    NodeSession open(PgNode node) {
        return open(node, node.superuser(), node.password());
    }

    NodeSession open(PgNode node, String user, String password) {
        return connector.open(address(node), new Credentials(user, password), "test");
    }

    /** Runs DDL on every node in the plain way, and makes the tables replicated; replicas then stand at a fresh tick. */
    void replicate(String ddl, String... tables) throws SQLException {
        if (!ddl.isEmpty()) {
            nodes.executeOnAll(ddl);
        }
        try (NodeSession session = open(origin())) {
            List<Long> relids = new ArrayList<>();
            List<Long> ids = new ArrayList<>();
            for (String table : tables) {
                relids.add(session.query("SELECT '" + table + "'::regclass::oid AS oid")
                        .get(0)
                        .number("oid"));
                ids.add(session.query("SELECT nextval('ddlrep.table_id') AS id")
                        .get(0)
                        .number("id"));
            }
            Refresh refresh =
                    substrate.refresh(session, new RefreshRequest("init", List.of(), relids, ids, PUBLICATION));
            origin().execute(refresh.originSql());
            for (PgNode replica : replicas()) {
                // As an operation would: the guard leaves it alone.
                replica.execute("SET ddlrep.replicate = off", refresh.replicaSql());
            }
        }
        Point point = substrate.mark();
        for (PgNode replica : replicas()) {
            replica.execute("INSERT INTO ddlrep.subscription (publication, tick, token, snapshot) VALUES ('"
                    + PUBLICATION + "', " + point.id() + ", '" + point.token() + "', '" + point.snapshot()
                    + "') ON CONFLICT (publication) DO NOTHING");
        }
    }

    /** Brings every replica to now. */
    long synchronize() {
        Point point = substrate.mark();
        long rows = 0;
        for (PgNode replica : replicas()) {
            rows = substrate.synchronize(PUBLICATION, replica.name(), point);
        }
        return rows;
    }

    /** Writes on the origin, in autocommit, as the superuser. */
    void write(String... statements) throws SQLException {
        origin().execute(statements);
    }

    /** Skips the test where the servers are older than a major. */
    void nodesFrom(int major) throws SQLException {
        int is = Integer.parseInt(Objects.requireNonNull(origin().queryText("SHOW server_version_num"))) / 10000;
        Skip.unless(is >= major, "needs PostgreSQL " + major);
    }

    /** COPY into a table of the origin. */
    void copyIn(String sql, String text) {
        try (NodeSession session = open(origin());
                NodeSession.CopySink sink = session.copyIn(sql)) {
            sink.write(text.getBytes(StandardCharsets.UTF_8));
            sink.finish();
        }
    }

    /** Synchronizes and compares tables row by row, column by column. */
    void assertSame(String... tables) throws SQLException {
        synchronize();
        assertEqual(tables);
    }

    void assertEqual(String... tables) throws SQLException {
        for (String table : tables) {
            List<String> expected = rows(origin(), table);
            for (PgNode replica : replicas()) {
                assertThat(rows(replica, table))
                        .as("rows of %s on %s", table, replica.name())
                        .isEqualTo(expected);
            }
        }
    }

    /** All rows as JSON with sorted keys, sorted: the column order of a node does not matter. */
    private static List<String> rows(PgNode node, String table) throws SQLException {
        return node.queryRows("SELECT (SELECT string_agg(e.key || '=' || coalesce(e.value, '∅'), ' ' ORDER BY e.key)"
                + " FROM json_each_text(row_to_json(the_row)) e) AS image FROM ONLY " + table
                + " the_row ORDER BY 1");
    }

    /** A session that may do the privileged things of an operation. */
    OperationSession enter(NodeSession session, String op, boolean companion) {
        return new TicketedSession(session, new Tickets(KEY), op, companion);
    }

    List<ReplicatedTable> tables(NodeSession session) {
        return io.ddlrep.engine.capture.ReplicatedTables.all(session);
    }

    @Override
    public void close() {
        substrate.close();
        nodes.close();
    }
}
