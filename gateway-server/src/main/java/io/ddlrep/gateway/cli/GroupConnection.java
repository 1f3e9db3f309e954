package io.ddlrep.gateway.cli;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupMember;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.operation.TriggerEngine;
import io.ddlrep.engine.replication.InitialCopy;
import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.gateway.wire.NodeTls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A group as a command sees it: a session on its origin, and whatever else of it is asked for. Used by one thread; closes
 * the sessions that it opened.
 */
final class GroupConnection implements AutoCloseable {
    private static final String APPLICATION = "ddlrep";

    private final ConnTarget target;
    private final ConnDefaults defaults;
    private final Connector connector;
    private final Group group;
    private final NodeSession origin;
    private final List<NodeSession> opened = new ArrayList<>();

    private GroupConnection(
            ConnTarget target, ConnDefaults defaults, Connector connector, Group group, NodeSession origin) {
        this.target = target;
        this.defaults = defaults;
        this.connector = connector;
        this.group = group;
        this.origin = origin;
    }

    /** Connects to a node, reads the group, and goes on to the origin where the node is a replica. */
    static GroupConnection open(ConnTarget target, ConnDefaults defaults, Consumer<String> tell) {
        Connector connector = new JdbcConnector(target.properties());
        NodeSession session =
                pinned(connect(target, defaults, connector, target.place().named("node")));
        try {
            Group group = read(session);
            NodeAddress own = Objects.requireNonNull(group.nodes().get(group.self()), group.self());
            String origin = group.publications().isEmpty()
                            || group.publications().stream()
                                    .anyMatch(each -> each.origin().equals(group.self()))
                    ? group.self()
                    : group.publications().get(0).origin();
            if (origin.equals(group.self())) {
                session.close();
                NodeSession named = pinned(
                        connect(target, defaults, connector, target.place().named(own.name())));
                return new GroupConnection(target, defaults, connector, group, named);
            }
            NodeAddress there = Objects.requireNonNull(group.nodes().get(origin), origin);
            tell.accept(group.self() + " is a replica; going on to the origin, " + there);
            NodeSession followed = pinned(connect(target, defaults, connector, there));
            session.close();
            return new GroupConnection(target, defaults, connector, read(followed), followed);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private static Group read(NodeSession session) {
        return GroupReader.read(session)
                .orElseThrow(() -> new NodeException(
                        session.node(),
                        ServerError.of("55000", "ddlrep: this database is in no group")
                                .with(null, "ddlrep init makes one; --origin names another database."),
                        null));
    }

    private static NodeSession connect(
            ConnTarget target, ConnDefaults defaults, Connector connector, NodeAddress address) {
        String password = defaults.password(target, ConnTarget.Place.of(address), target.user());
        return connector.open(address, new Credentials(target.user(), password), APPLICATION);
    }

    /** Looks up nothing by a path that others can set, for the database or for the role. */
    private static NodeSession pinned(NodeSession session) {
        try {
            session.execute("SET search_path = pg_catalog, pg_temp");
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    Group group() {
        return group;
    }

    /** The session on the origin; closed with this. */
    NodeSession origin() {
        return origin;
    }

    /** A client's session on the origin, with the search_path of its role; the caller closes it. */
    NodeSession openClient() {
        return connect(target, defaults, connector, originAddress());
    }

    /** A new session on a node, which the caller closes. */
    NodeSession open(NodeAddress address) {
        return pinned(connect(target, defaults, connector, reached(address)));
    }

    /** How connections to the group's nodes are encrypted. */
    NodeTls encryption() throws IOException {
        return NodeTlsOptions.read(target.properties(), defaults.home());
    }

    /** The origin, as it was reached. */
    NodeAddress originAddress() {
        return reached(address(group.self()));
    }

    private NodeAddress reached(NodeAddress address) {
        return address.name().equals(group.self())
                        && ConnTarget.Place.of(address).equals(target.place())
                ? target.place().named(address.name())
                : address;
    }

    /** All nodes with sessions, the origin first; closed with this. */
    List<GroupMember> members() {
        List<GroupMember> members = new ArrayList<>();
        members.add(new GroupMember(address(group.self()), origin));
        for (NodeAddress address : new TreeMap<>(group.nodes()).values()) {
            if (!address.name().equals(group.self())) {
                NodeSession session = open(address);
                opened.add(session);
                members.add(new GroupMember(address, session));
            }
        }
        return members;
    }

    private NodeAddress address(String node) {
        return Objects.requireNonNull(group.nodes().get(node), node);
    }

    /** The role that was given; a superuser, or ddlrep_service, does the work of the service itself. */
    private Credentials service() {
        boolean able = target.user().equals(ServiceCredentials.ROLE)
                || origin.query("SHOW is_superuser").get(0).text(0).equals("on");
        return able ? credentials() : ServiceCredentials.of(defaults).orElseGet(this::credentials);
    }

    /** The role that was given. */
    private Credentials credentials() {
        return new Credentials(target.user(), defaults.password(target, target.place(), target.user()));
    }

    /** Opens companion sessions as the role that was given. */
    CompanionConnector companions() {
        return connector.as(credentials());
    }

    /** What an engine of this command is made with. */
    EngineConfig config() {
        return new EngineConfig(
                OperationSettings.DEFAULT,
                Optional.of(service()),
                ApplyCredentials.of(defaults, target, target.place()),
                Map.of(),
                connector,
                APPLICATION + "@" + ProcessHandle.current().pid());
    }

    /** The substrate of the origin; the caller closes it. */
    TriggerSubstrate substrate() {
        return new TriggerSubstrate(access(), group.self());
    }

    /** Opens the sessions of the replicator and of copies. */
    NodeAccess access() {
        return new NodeAccess(
                connector, group.nodes(), service(), ApplyCredentials.of(defaults, target, target.place()));
    }

    /** Fills an empty replica, or finds it equal. */
    void copy(String publication, String replica) {
        new InitialCopy(access(), group.self()).run(publication, replica);
    }

    /** An engine for the origin; the caller closes it. */
    TriggerEngine engine() {
        return TriggerEngine.open(config(), group, TriggerSubstrate::of);
    }

    @Override
    public void close() {
        opened.forEach(NodeSession::close);
        origin.close();
    }
}
