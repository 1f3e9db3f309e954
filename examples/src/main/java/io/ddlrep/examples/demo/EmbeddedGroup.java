package io.ddlrep.examples.demo;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupInitializer;
import io.ddlrep.engine.control.GroupMember;
import io.ddlrep.engine.control.NewPublication;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.replication.InitialCopy;
import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.Replicator;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.gateway.AdminHooks;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.admin.AdminUsers;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.gateway.startup.OriginVerifiers;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgServerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A group on embedded servers, initialised, with its replicator running. Used by one thread; closing it stops the servers
 * and removes their files.
 */
public final class EmbeddedGroup implements AutoCloseable {
    private static final String PUBLICATION = "default";

    private final PgGroup servers;
    private final TriggerSubstrate substrate;
    private final Replicator replicator;
    private final Connector connector;
    private @Nullable GatewayServer gateway;
    private @Nullable OriginVerifiers verifiers;

    private EmbeddedGroup(PgGroup servers, TriggerSubstrate substrate, Replicator replicator, Connector connector) {
        this.servers = servers;
        this.substrate = substrate;
        this.replicator = replicator;
        this.connector = connector;
    }

    /** Fills a node before the group is made; every node must end with the same tables and rows. */
    @FunctionalInterface
    public interface Schema {
        /** Makes tables and rows on one node. */
        void create(PgNode node) throws SQLException;
    }

    /**
     * Starts servers with fsync on, fills them, makes the group and starts the replicator.
     *
     * @param database name of the database on each server
     * @param options one for each node, the origin first
     */
    public static EmbeddedGroup start(String database, List<PgServerOptions> options, Schema schema)
            throws SQLException {
        PgGroup servers = PgGroup.dedicated(database, options);
        try {
            for (PgNode node : servers.nodes()) {
                schema.create(node);
            }
            return initialise(servers);
        } catch (RuntimeException | SQLException e) {
            servers.close();
            throw e;
        }
    }

    /** The options of a node of the demo: what a careful production server has. */
    public static List<PgServerOptions> options(int major, int nodes) {
        return Collections.nCopies(
                nodes, PgServerOptions.of(major).withFsync(true).withSynchronousCommit("on"));
    }

    private static EmbeddedGroup initialise(PgGroup servers) {
        Connector connector = new JdbcConnector(Map.of());
        Map<String, NodeAddress> addresses = new LinkedHashMap<>();
        List<GroupMember> members = new ArrayList<>();
        PgNode origin = servers.node(1);
        Credentials service = new Credentials(origin.superuser(), origin.password());
        for (PgNode node : servers.nodes()) {
            NodeAddress address = new NodeAddress(node.name(), node.host(), node.port(), node.database());
            addresses.put(node.name(), address);
            members.add(new GroupMember(address, connector.open(address, service, "ddlrep init")));
        }
        NodeAccess access = new NodeAccess(connector, addresses, service, apply(origin));
        try {
            new GroupInitializer(
                            new ControlInstaller(),
                            () -> new TriggerSubstrate(access, origin.name()),
                            (publication, replica) -> new InitialCopy(access, origin.name()).run(publication, replica))
                    .init(
                            members,
                            new NewPublication(PUBLICATION, Group.Scope.DATABASE, List.of(), List.of()),
                            Optional.of(origin.password()));
        } finally {
            members.forEach(member -> member.session().close());
        }
        TriggerSubstrate substrate = new TriggerSubstrate(access, origin.name());
        Replicator replicator = new Replicator(
                substrate,
                access,
                origin.name(),
                Replicator.controlSchema(access, origin.name()),
                Replicator.Pace.standard());
        replicator.start();
        return new EmbeddedGroup(servers, substrate, replicator, connector);
    }

    private static Credentials apply(PgNode origin) {
        return new Credentials("ddlrep_apply", origin.password());
    }

    /**
     * Starts a gateway in front of the origin, which asks nobody for a password; it is closed with the group. The superuser may
     * use its own database.
     *
     * @param port where clients connect; 0 takes a free one
     * @return the same origin through the gateway
     */
    public PgNode startGateway(int port) {
        return startGateway(port, new ClientAuth.Trust());
    }

    /** As {@link #startGateway}, but the gateway asks for passwords by SCRAM; the nodes must do so, too. */
    public PgNode startScramGateway(int port) {
        OriginVerifiers asked = new OriginVerifiers(connector, originAddress(), service());
        verifiers = asked;
        return startGateway(port, new ClientAuth.Scram(asked));
    }

    private PgNode startGateway(int port, ClientAuth asked) {
        PgNode origin = origin();
        GatewayServer started = GatewayServer.start(
                GatewayConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), originAddress(), asked),
                Optional.of(new EngineConfig(
                        OperationSettings.DEFAULT,
                        Optional.of(service()),
                        apply(origin),
                        Map.of(),
                        connector,
                        "gateway@" + ProcessHandle.current().pid())),
                new AdminHooks(
                        () -> new AdminUsers(Set.of(origin.superuser()), Set.of()),
                        AdminHooks.NONE.reload(),
                        AdminHooks.NONE.drain(),
                        Map::of,
                        "ddlrep"));
        gateway = started;
        return origin.at(
                started.address().getAddress().getHostAddress(),
                started.address().getPort());
    }

    private NodeAddress originAddress() {
        PgNode origin = origin();
        return new NodeAddress(origin.name(), origin.host(), origin.port(), origin.database());
    }

    private Credentials service() {
        return new Credentials(origin().superuser(), origin().password());
    }

    /** What a node's server wrote to its log. */
    public String log(int node) {
        return servers.server(node).log();
    }

    /** The nodes, the origin first. */
    public List<PgNode> nodes() {
        return servers.nodes();
    }

    /** The origin. */
    public PgNode origin() {
        return servers.node(1);
    }

    /** The URL that an application uses instead of {@code jdbc:postgresql:}; without a password. */
    public String url() {
        PgNode origin = origin();
        return "jdbc:ddlrep://" + origin.host() + ":" + origin.port() + "/" + origin.database() + "?user="
                + origin.superuser();
    }

    /** An ordinary JDBC connection through the driver. */
    public Connection connect(String properties) throws SQLException {
        return DriverManager.getConnection(url() + properties, origin().superuser(), origin().password());
    }

    /** Brings every replica to where the origin is now. */
    public void synchronize() {
        Point now = substrate.mark();
        for (PgNode node : servers.nodes().subList(1, servers.size())) {
            substrate.synchronize(PUBLICATION, node.name(), now);
        }
    }

    @Override
    public void close() {
        if (gateway != null) {
            gateway.close();
        }
        if (verifiers != null) {
            verifiers.close();
        }
        replicator.close();
        substrate.close();
        servers.close();
    }
}
