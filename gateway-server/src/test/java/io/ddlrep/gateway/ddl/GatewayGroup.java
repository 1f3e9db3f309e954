package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.gateway.AdminHooks;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.admin.AdminUsers;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.gateway.startup.OriginVerifiers;
import io.ddlrep.gateway.startup.Verifiers;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Three nodes with one publication of the whole database, and a gateway in front of n1. */
public final class GatewayGroup implements AutoCloseable {
    private static final String TABLES = "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c"
            + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND n.nspname !~"
            + " '^(pg_|information_schema$|ddlrep)' ORDER BY 1";

    private final PgGroup nodes;
    private final Map<String, NodeAddress> addresses = new LinkedHashMap<>();
    private final Connector connector;
    private final TriggerSubstrate substrate;
    private final OriginVerifiers verifiers;
    private final GatewayServer gateway;

    /**
     * How a group is made.
     *
     * @param passwords of the roles of ddlrep; empty: none
     * @param elsewhere where the gateway's engine looks for nodes
     * @param properties of the connections of the engine
     * @param encryption of the gateway's connections
     * @param auth how clients log in
     */
    public record Setup(
            Optional<String> passwords,
            Map<String, NodeAddress> elsewhere,
            Map<String, String> properties,
            GatewayConfig.Encryption encryption,
            Function<Verifiers, ClientAuth> auth) {}

    /** Makes one of nodes that are there; they are closed with it. */
    public GatewayGroup(PgGroup nodes, Setup setup) {
        this.nodes = nodes;
        this.connector = new JdbcConnector(setup.properties());
        Optional<String> passwords = setup.passwords();
        nodes.nodes().forEach(node -> addresses.put(node.name(), address(node)));
        Credentials apply = new Credentials("ddlrep_apply", passwords.orElse(null));
        Credentials service = new Credentials("ddlrep_service", passwords.orElse(null));
        NodeAccess access = new NodeAccess(connector, addresses, superuser(), apply);
        this.substrate = new TriggerSubstrate(access, "n1");
        install(access, passwords);
        NodeAddress origin = address(nodes.node(1));
        this.verifiers = new OriginVerifiers(connector, origin, service);
        this.gateway = GatewayServer.start(
                GatewayConfig.of(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                origin,
                                setup.auth().apply(verifiers))
                        .with(setup.encryption()),
                Optional.of(new EngineConfig(
                        OperationSettings.DEFAULT,
                        Optional.of(service),
                        apply,
                        setup.elsewhere(),
                        connector,
                        "gateway")),
                new AdminHooks(
                        () -> new AdminUsers(Set.of(nodes.node(1).superuser()), Set.of("reader")),
                        () -> {
                            throw new IllegalStateException("this gateway has no file");
                        },
                        () -> {},
                        () -> Map.of("listen", "somewhere"),
                        "ddlrep under test"));
    }

    /** Nodes that ask nobody for a password. */
    public static GatewayGroup create(String name) {
        return new GatewayGroup(PgGroup.create(name), trusting(Map.of()));
    }

    /** The same of servers of another major. */
    public static GatewayGroup create(String name, int major) {
        return new GatewayGroup(PgGroup.create(name, 3, major), trusting(Map.of()));
    }

    /** The same, where the gateway's engine looks for a node elsewhere. */
    public static GatewayGroup create(String name, NodeAddress elsewhere) {
        return new GatewayGroup(PgGroup.create(name), trusting(Map.of(elsewhere.name(), elsewhere)));
    }

    private static Setup trusting(Map<String, NodeAddress> elsewhere) {
        return new Setup(
                Optional.empty(),
                elsewhere,
                Map.of(),
                GatewayConfig.Encryption.NONE,
                verifiers -> new ClientAuth.Trust());
    }

    /** Nodes that ask everybody for a password by SCRAM, as the gateway does. */
    public static GatewayGroup scram() {
        return new GatewayGroup(
                PgGroup.dedicated(
                        3,
                        PgServerOptions.of(PgBinaries.defaultMajor())
                                .withAuthentication(PgServerOptions.Authentication.SCRAM)),
                new Setup(
                        Optional.of("a service's"),
                        Map.of(),
                        Map.of(),
                        GatewayConfig.Encryption.NONE,
                        ClientAuth.Scram::new));
    }

    private void install(NodeAccess access, Optional<String> passwords) {
        List<GroupMember> members = new ArrayList<>();
        try {
            addresses
                    .values()
                    .forEach(address ->
                            members.add(new GroupMember(address, connector.open(address, superuser(), "test"))));
            InitialCopy copy = new InitialCopy(access, "n1");
            new GroupInitializer(new ControlInstaller(), () -> new TriggerSubstrate(access, "n1"), copy::run)
                    .init(
                            members,
                            new NewPublication("default", Group.Scope.DATABASE, List.of(), List.of()),
                            new GroupInitializer.Passwords(passwords, passwords));
        } finally {
            members.forEach(member -> member.session().close());
        }
    }

    private static NodeAddress address(PgNode node) {
        return new NodeAddress(node.name(), node.host(), node.port(), node.database());
    }

    private Credentials superuser() {
        return new Credentials(nodes.node(1).superuser(), nodes.node(1).password());
    }

    public PgNode node(int number) {
        return nodes.node(number);
    }

    public GatewayServer gateway() {
        return gateway;
    }

    /** The origin through the gateway. */
    public PgNode through() {
        InetSocketAddress address = gateway.address();
        return nodes.node(1).at(address.getAddress().getHostAddress(), address.getPort());
    }

    /** Brings every replica to now, then compares schemas and rows of all nodes. */
    public void assertEqualNodes() throws SQLException {
        assertEqualNodes(line -> true);
    }

    /** The same, where a sequence may have moved outside of DDL, which a replica learns of only by the next DDL on it. */
    public void assertEqualNodesButPositions() throws SQLException {
        assertEqualNodes(line -> !line.startsWith("position "));
    }

    private void assertEqualNodes(Predicate<String> compared) throws SQLException {
        Point now = substrate.mark();
        for (int replica = 2; replica <= nodes.size(); replica++) {
            substrate.synchronize("default", nodes.node(replica).name(), now);
        }
        List<String> expected = state(nodes.node(1)).stream().filter(compared).toList();
        for (PgNode node : nodes.nodes()) {
            assertThat(state(node).stream().filter(compared).toList())
                    .as("state of %s", node.name())
                    .isEqualTo(expected);
            assertThat(node.queryRows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
                            + " AND gid LIKE 'ddlrep:%'"))
                    .as("prepared transactions on %s", node.name())
                    .isEmpty();
        }
    }

    private static List<String> state(PgNode node) throws SQLException {
        try (Connection connection = node.connect()) {
            List<String> lines =
                    new ArrayList<>(CatalogDump.withPositions(connection).lines());
            for (String table : node.queryRows(TABLES)) {
                lines.add("rows of " + table + ": " + TableDump.rows(connection, table));
            }
            return lines;
        }
    }

    @Override
    public void close() {
        gateway.close();
        verifiers.close();
        substrate.close();
        nodes.close();
    }
}
