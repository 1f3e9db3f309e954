package io.ddlrep.engine.security;

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
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.operation.TriggerEngine;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A group with two ordinary users, {@code alice} and {@code mallory}, each with a schema that is replicated, and a table
 * {@code spy.log}, not replicated, in which mallory's code says what it reached and as whom.
 */
final class AttackedGroup implements AutoCloseable {
    static final String PUBLICATION = "default";

    /** A name of a role and of a schema that are hers, which is replicated too. */
    static final String ODD = "o\"d'd; $f$ $ddlrep$ \\ \n ü %s {{x}}";

    private static final String USERS = """
            DO $$
            DECLARE u text;
            BEGIN
                FOREACH u IN ARRAY ARRAY['alice', 'mallory'] LOOP
                    IF to_regrole(u) IS NULL THEN
                        EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L', u, u);
                    END IF;
                    EXECUTE format('CREATE SCHEMA %I AUTHORIZATION %1$I', u);
                END LOOP;
            END
            $$;
            CREATE SCHEMA spy;
            CREATE TABLE spy.log (login text, runs_as text, what text, came_of_it text);
            GRANT USAGE ON SCHEMA spy TO PUBLIC;
            GRANT SELECT, INSERT ON spy.log TO PUBLIC;
            SET ROLE alice;
            CREATE TABLE alice.diary (id int PRIMARY KEY, entry text);
            CREATE TABLE alice.parent (id int PRIMARY KEY, v int);
            GRANT USAGE ON SCHEMA alice TO PUBLIC;
            GRANT REFERENCES ON alice.parent TO mallory;
            SET ROLE mallory;
            CREATE TABLE mallory.t (id int PRIMARY KEY, v int);
            RESET ROLE""";

    private final PgGroup nodes;
    private final boolean shared;
    private final JdbcConnector connector = new JdbcConnector(Map.of());
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final TriggerEngine engine;
    private final TriggerSubstrate substrate;

    private AttackedGroup(PgGroup nodes, boolean shared, String... more) throws SQLException {
        this.nodes = nodes;
        this.shared = shared;
        nodes.executeOnAll(USERS);
        nodes.executeOnAll(
                "DO $do$ BEGIN CREATE ROLE " + Quote.name(ODD) + " LOGIN PASSWORD 'odd';"
                        + " EXCEPTION WHEN duplicate_object THEN NULL; END $do$",
                "CREATE SCHEMA " + Quote.name(ODD) + " AUTHORIZATION " + Quote.name(ODD));
        nodes.executeOnAll(more);
        List<GroupMember> members = new ArrayList<>();
        nodes.nodes().forEach(node -> members.add(new GroupMember(address(node), session(node))));
        Map<String, NodeAddress> addresses = new LinkedHashMap<>();
        members.forEach(member -> addresses.put(member.name(), member.address()));
        NodeAccess access = new NodeAccess(connector, addresses, superuser(), apply());
        new GroupInitializer(
                        new ControlInstaller(),
                        () -> new TriggerSubstrate(access, "n1"),
                        (publication, replica) -> new InitialCopy(access, "n1").run(publication, replica))
                .init(
                        members,
                        new NewPublication(
                                PUBLICATION, Group.Scope.SCHEMAS, List.of("alice", "mallory", ODD), List.of()),
                        new GroupInitializer.Passwords(Optional.of("apply"), Optional.of("service")));
        members.forEach(member -> member.session().close());
        this.substrate = new TriggerSubstrate(new NodeAccess(connector, addresses, service(), apply()), "n1");
        this.engine = openEngine();
    }

    static AttackedGroup create(String name, String... more) throws SQLException {
        return new AttackedGroup(PgGroup.create(name), true, more);
    }

    /** On servers of their own, which are closed with it. */
    static AttackedGroup on(PgGroup nodes) throws SQLException {
        return new AttackedGroup(nodes, false);
    }

    private TriggerEngine openEngine() {
        try (NodeSession session = session(origin())) {
            return TriggerEngine.open(
                    new EngineConfig(
                            OperationSettings.DEFAULT, Optional.of(service()), apply(), Map.of(), connector, "test"),
                    GroupReader.read(session).orElseThrow(),
                    TriggerSubstrate::of);
        }
    }

    static NodeAddress address(PgNode node) {
        return new NodeAddress(node.name(), node.host(), node.port(), node.database());
    }

    private Credentials superuser() {
        return new Credentials(origin().superuser(), origin().password());
    }

    /** The service has no more than its own rights. */
    private static Credentials service() {
        return new Credentials("ddlrep_service", "service");
    }

    private static Credentials apply() {
        return new Credentials("ddlrep_apply", "apply");
    }

    PgNode origin() {
        return nodes.node(1);
    }

    PgNode node(int number) {
        return nodes.node(number);
    }

    PgGroup nodes() {
        return nodes;
    }

    List<PgNode> replicas() {
        return nodes.nodes().subList(1, nodes.size());
    }

    NodeSession session(PgNode node) {
        return connector.open(address(node), superuser(), "test");
    }

    /** A plain session of an ordinary user, past the engine; closed with the group. */
    NodeSession session(PgNode node, String user) {
        return closing(
                connector.open(address(node), new Credentials(user, password(user)), "test"), NodeSession::close);
    }

    private static String password(String user) {
        return switch (user) {
            case "ddlrep_apply" -> "apply";
            case "ddlrep_service" -> "service";
            case ODD -> "odd";
            default -> user;
        };
    }

    /** A client of the engine on the origin; closed with the group. */
    Client client(String user) {
        Credentials credentials = new Credentials(user, password(user));
        return client(credentials, credentials);
    }

    Client client() {
        return client(superuser(), superuser());
    }

    Client client(Credentials login, Credentials companions) {
        return closing(
                new Client(engine, connector.open(address(origin()), login, "client"), connector.as(companions)),
                Client::close);
    }

    private <T> T closing(T resource, Consumer<T> close) {
        opened.push(() -> close.accept(resource));
        return resource;
    }

    /** One statement after the other on the origin, as a user, past the engine. */
    void write(String user, String... statements) throws SQLException {
        try (NodeSession session = connector.open(address(origin()), new Credentials(user, password(user)), "writer")) {
            for (String statement : statements) {
                session.execute(statement);
            }
        }
    }

    void synchronize() {
        Point now = substrate.mark();
        for (PgNode replica : replicas()) {
            substrate.synchronize(PUBLICATION, replica.name(), now);
        }
    }

    /** Rows of a table on all nodes after synchronizing: equal, and as expected. */
    void assertRows(String query, String... expected) throws SQLException {
        synchronize();
        for (PgNode node : nodes.nodes()) {
            assertThat(node.queryRows(query)).as("%s on %s", query, node.name()).containsExactly(expected);
        }
    }

    /** What must hold after every attack. */
    void assertUnharmed() throws SQLException {
        for (PgNode node : nodes.nodes()) {
            assertThat(node.queryRows("SELECT rolname FROM pg_roles WHERE (rolsuper OR rolcreaterole OR rolbypassrls)"
                            + " AND rolname <> '" + node.superuser() + "'"))
                    .as("powerful roles on %s", node.name())
                    .isEmpty();
            assertThat(node.queryRows("SELECT DISTINCT runs_as, login, what FROM spy.log WHERE runs_as <> 'mallory'"))
                    .as("code of mallory that ran as somebody else on %s", node.name())
                    .isEmpty();
            assertThat(node.queryRows("SELECT what, login FROM spy.log WHERE came_of_it = 'done'"
                            // In a session of mallory's own there is nobody else to become.
                            + " AND NOT (login = 'mallory' AND what LIKE 'RESET %')"))
                    .as("attacks that got through on %s", node.name())
                    .isEmpty();
            assertThat(node.queryRows("SELECT * FROM alice.diary ORDER BY 1"))
                    .as("rows of alice on %s", node.name())
                    .containsExactly("1|dear diary");
        }
    }

    /** How often mallory's code ran on a node. */
    long attacksOn(PgNode node) throws SQLException {
        return Long.parseLong(String.valueOf(node.queryText("SELECT count(*) FROM spy.log")));
    }

    @Override
    public void close() throws SQLException {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
        engine.close();
        substrate.close();
        List<PgNode> servers =
                nodes.nodes().stream().map(n -> n.withDatabase("postgres")).toList();
        nodes.close();
        if (shared) {
            for (PgNode server : servers) {
                server.execute("DROP ROLE IF EXISTS mallory, alice, " + Quote.name(ODD));
            }
        }
    }
}
