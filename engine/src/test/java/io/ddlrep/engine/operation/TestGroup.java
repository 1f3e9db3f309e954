package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupInitializer;
import io.ddlrep.engine.control.GroupMember;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.control.NewPublication;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.replication.InitialCopy;
import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A group with its control schema, one publication {@code default} of the whole database with origin n1, and engines and
 * clients that are closed with it.
 */
final class TestGroup implements AutoCloseable {
    static final String PUBLICATION = "default";

    private final PgGroup nodes;
    private final Connector connector = new JdbcConnector(Map.of());
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final TriggerEngine engine;
    private final Map<String, NodeState> states = new HashMap<>();

    private TestGroup(PgGroup nodes) {
        this.nodes = nodes;
        install();
        this.engine = openEngine(Map.of(), connector);
    }

    /** Three nodes on shared servers. */
    static TestGroup create(String name) {
        return new TestGroup(PgGroup.create(name));
    }

    /** Takes the nodes over: they are closed with the group. */
    static TestGroup on(PgGroup nodes) {
        return new TestGroup(nodes);
    }

    private void install() {
        List<GroupMember> members = new ArrayList<>();
        try {
            nodes.nodes().forEach(node -> members.add(new GroupMember(address(node), session(node))));
            Map<String, NodeAddress> addresses = new LinkedHashMap<>();
            members.forEach(member -> addresses.put(member.name(), member.address()));
            NodeAccess access = new NodeAccess(connector, addresses, superuser(), apply());
            InitialCopy copy = new InitialCopy(access, "n1");
            new GroupInitializer(new ControlInstaller(), () -> new TriggerSubstrate(access, "n1"), copy::run)
                    .init(
                            members,
                            new NewPublication(PUBLICATION, Group.Scope.DATABASE, List.of(), List.of()),
                            Optional.empty());
        } finally {
            members.forEach(member -> member.session().close());
        }
    }

    static NodeAddress address(PgNode node) {
        return new NodeAddress(node.name(), node.host(), node.port(), node.database());
    }

    Credentials superuser() {
        return new Credentials(nodes.node(1).superuser(), nodes.node(1).password());
    }

    /** The service has no more than its own rights. */
    private static Credentials service() {
        return new Credentials("ddlrep_service", null);
    }

    private static Credentials apply() {
        return new Credentials("ddlrep_apply", null);
    }

    /** Node {@code number}, from 1. */
    PgNode node(int number) {
        return nodes.node(number);
    }

    PgNode origin() {
        return nodes.node(1);
    }

    PgGroup nodes() {
        return nodes;
    }

    TriggerEngine engine() {
        return engine;
    }

    /** A superuser's session, straight to the node. */
    NodeSession session(PgNode node) {
        return connector.open(address(node), new Credentials(node.superuser(), node.password()), "test");
    }

    /** Opens companion sessions as the superuser. */
    CompanionConnector companions() {
        return connector.as(superuser());
    }

    /** Another engine, as another process would have it. */
    TriggerEngine openEngine(Map<String, NodeAddress> addresses, Connector other) {
        return openEngine(origin(), addresses, other);
    }

    /** The engine of clients that are connected to another node. */
    TriggerEngine openEngineAt(int number) {
        return openEngine(node(number), Map.of(), connector);
    }

    private TriggerEngine openEngine(PgNode at, Map<String, NodeAddress> addresses, Connector other) {
        Group group;
        try (NodeSession session = session(at)) {
            group = GroupReader.read(session).orElseThrow();
        }
        EngineConfig config =
                new EngineConfig(OperationSettings.DEFAULT, Optional.of(service()), apply(), addresses, other, "test");
        return closing(TriggerEngine.open(config, group, TriggerSubstrate::of));
    }

    /** An engine that reaches a node through a proxy. */
    TriggerEngine openEngine(PgNode behindProxy) {
        return openEngine(Map.of(behindProxy.name(), address(behindProxy)), connector);
    }

    Connector connector() {
        return connector;
    }

    /** Has something closed with the group, the last one first. */
    <T extends AutoCloseable> T closing(T resource) {
        synchronized (opened) {
            opened.push(resource);
        }
        return resource;
    }

    /** A client of the superuser on the origin. */
    TestClient client() {
        return client(engine);
    }

    TestClient client(TriggerEngine of) {
        return client(of, origin(), superuser());
    }

    TestClient client(TriggerEngine of, PgNode node, Credentials user) {
        return closing(new TestClient(of, connector.open(address(node), user, "client"), connector.as(user)));
    }

    /** One autocommit statement, or a script in one transaction, by a client that is gone afterwards. */
    void run(String sql) {
        try (TestClient client = new TestClient(engine, session(origin()), companions())) {
            client.script(sql);
        }
    }

    /** Runs statements on one node alone, behind ddlrep's back. */
    void local(int number, String... statements) throws SQLException {
        List<String> all =
                new ArrayList<>(List.of("SET ddlrep.replicate = off", "SET session_replication_role = replica"));
        all.addAll(List.of(statements));
        node(number).execute(all.toArray(String[]::new));
    }

    /** Brings every replica to now. */
    void synchronize() {
        Point now = engine.services().substrate().mark();
        for (PgNode replica : nodes.nodes().subList(1, nodes.size())) {
            engine.services().substrate().synchronize(PUBLICATION, replica.name(), now);
        }
    }

    /** Synchronizes, and compares schema and rows of all nodes. */
    void assertEqualNodes() throws SQLException {
        synchronize();
        List<String> expected = stateOf(origin()).userState();
        for (PgNode node : nodes.nodes()) {
            if (!node.equals(origin())) {
                assertThat(stateOf(node).userState())
                        .as("state of %s", node.name())
                        .isEqualTo(expected);
            }
            assertThat(node.queryRows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()"
                            + " AND gid LIKE 'ddlrep:%'"))
                    .as("prepared transactions on %s", node.name())
                    .isEmpty();
        }
    }

    private NodeState stateOf(PgNode node) {
        return states.computeIfAbsent(node.name(), name -> new NodeState(node));
    }

    /** Everything on every node: to compare before and after. */
    Map<String, List<String>> state() throws SQLException {
        Map<String, List<String>> state = new LinkedHashMap<>();
        for (PgNode node : nodes.nodes()) {
            state.put(node.name(), stateOf(node).everything());
        }
        return state;
    }

    /** Fails with the lines that differ. */
    void assertUnchanged(Map<String, List<String>> before) throws SQLException {
        Map<String, List<String>> now = state();
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, List<String>> node : before.entrySet()) {
            List<String> gone = new ArrayList<>(node.getValue());
            gone.removeAll(Objects.requireNonNull(now.get(node.getKey())));
            gone.forEach(line -> differences.add(node.getKey() + " - " + line));
            List<String> come = new ArrayList<>(Objects.requireNonNull(now.get(node.getKey())));
            come.removeAll(node.getValue());
            come.forEach(line -> differences.add(node.getKey() + " + " + line));
        }
        assertThat(differences).isEmpty();
    }

    /** State and result of the last operation in the journal. */
    String lastOperation() throws SQLException {
        return Objects.requireNonNullElse(
                origin().queryText("SELECT state FROM ddlrep.ddl_operation ORDER BY started DESC LIMIT 1"), "none");
    }

    long operations() throws SQLException {
        return Long.parseLong(Objects.requireNonNull(origin().queryText("SELECT count(*) FROM ddlrep.ddl_operation")));
    }

    /** State and reason of a replica. */
    String replicaState(int number) throws SQLException {
        return origin().queryRows("SELECT state, coalesce(reason, '') FROM ddlrep.publication_node WHERE node = 'n"
                        + number + "'")
                .get(0);
    }

    GroupRecovery.Report recover() {
        return new GroupRecovery(engine).run();
    }

    @Override
    public void close() {
        synchronized (opened) {
            while (!opened.isEmpty()) {
                close(opened.pop());
            }
        }
        states.values().forEach(TestGroup::close);
        nodes.close();
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot close " + resource, e);
        }
    }
}
