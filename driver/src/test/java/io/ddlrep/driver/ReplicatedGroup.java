package io.ddlrep.driver;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupKey;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.control.Installation;
import io.ddlrep.engine.control.NodeIdentity;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Refresh;
import io.ddlrep.engine.substrate.RefreshRequest;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Three nodes with ddlrep installed: n1 is the origin of publication p, n2 and n3 are its replicas. */
final class ReplicatedGroup implements AutoCloseable {
    private final PgGroup nodes;
    private final JdbcConnector connector = new JdbcConnector(Map.of());

    private ReplicatedGroup(PgGroup nodes) {
        this.nodes = nodes;
    }

    static ReplicatedGroup create(String name) throws SQLException {
        ReplicatedGroup group = new ReplicatedGroup(PgGroup.create(name, 3));
        group.install();
        return group;
    }

    private void install() throws SQLException {
        List<Installation.Member> members = new ArrayList<>();
        for (PgNode node : nodes.nodes()) {
            try (NodeSession session = open(node)) {
                members.add(new Installation.Member(address(node), NodeIdentity.read(session)));
            }
        }
        Installation installation =
                new Installation("drivertest", "n1", members, GroupKey.of(new byte[32]), Optional.empty());
        for (PgNode node : nodes.nodes()) {
            try (NodeSession session = open(node)) {
                new ControlInstaller().install(session, installation.forNode(node.name()));
            }
            node.execute(
                    "INSERT INTO ddlrep.publication VALUES ('p', 'n1', 'tables')",
                    "INSERT INTO ddlrep.publication_node (publication, node) VALUES ('p', 'n2'), ('p', 'n3')");
        }
    }

    private static NodeAddress address(PgNode node) {
        return new NodeAddress(node.name(), node.host(), node.port(), node.database());
    }

    private NodeSession open(PgNode node) {
        return connector.open(address(node), new Credentials(node.superuser(), node.password()), "test");
    }

    PgNode origin() {
        return nodes.node(1);
    }

    PgNode replica(int number) {
        return nodes.node(number);
    }

    /** Makes a table on every node in the plain way, and makes it replicated. */
    void replicate(String ddl, String table) throws SQLException {
        nodes.executeOnAll(ddl);
        PgNode origin = origin();
        try (NodeSession session = open(origin)) {
            Group group = GroupReader.read(session).orElseThrow();
            Credentials service = new Credentials(origin.superuser(), origin.password());
            EngineConfig config = new EngineConfig(
                    OperationSettings.DEFAULT,
                    Optional.of(service),
                    new Credentials("ddlrep_apply", null),
                    Map.of(),
                    connector,
                    "test");
            try (TriggerSubstrate substrate = TriggerSubstrate.of(config, group, service)) {
                long relid = session.query("SELECT '" + table + "'::regclass::oid AS oid")
                        .get(0)
                        .number("oid");
                long id = session.query("SELECT nextval('ddlrep.table_id') AS id")
                        .get(0)
                        .number("id");
                Refresh refresh = substrate.refresh(
                        session, new RefreshRequest("init", List.of(), List.of(relid), List.of(id), "p"));
                origin.execute(refresh.originSql());
                for (int replica = 2; replica <= 3; replica++) {
                    nodes.node(replica).execute(refresh.replicaSql());
                }
                Point point = substrate.mark();
                for (int replica = 2; replica <= 3; replica++) {
                    nodes.node(replica)
                            .execute(
                                    "INSERT INTO ddlrep.subscription (publication, tick, token, snapshot) VALUES ('p', "
                                            + point.id() + ", '" + point.token() + "', '" + point.snapshot()
                                            + "') ON CONFLICT (publication) DO NOTHING");
                }
            }
        }
    }

    /** A connection of the driver to the origin, as the superuser. */
    Connection connect(DdlrepDriver driver, Map<String, String> properties) throws SQLException {
        return Databases.connect(driver, origin(), properties);
    }

    /** The columns of a table on each node, in one line per node. */
    List<String> columns(String table) throws SQLException {
        List<String> all = new ArrayList<>();
        for (PgNode node : nodes.nodes()) {
            all.add(node.queryText("SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', '"
                    + " ORDER BY attname) FROM pg_attribute WHERE attrelid = to_regclass('" + table
                    + "') AND attnum > 0 AND NOT attisdropped"));
        }
        return all;
    }

    @Override
    public void close() {
        nodes.close();
    }
}
