package io.ddlrep.gateway;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.control.GroupStatus;
import io.ddlrep.engine.control.GroupStatusReader;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.operation.GroupRecovery;
import io.ddlrep.engine.operation.TriggerEngine;
import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.gateway.admin.AdminCommands;
import io.ddlrep.gateway.admin.AdminDatabase;
import io.ddlrep.gateway.admin.AdminTable;
import io.ddlrep.gateway.admin.GatewayTables;
import io.ddlrep.gateway.admin.GroupTables;
import io.ddlrep.gateway.ddl.DdlGate;
import io.ddlrep.gateway.node.WireConnector;
import io.ddlrep.gateway.session.OpenSessions;
import io.ddlrep.gateway.session.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Puts the gateway's own database together: its tables, and what its commands do. Thread-safe; blocks. */
final class GatewayAdmin implements AdminCommands, GroupTables.GroupView, AutoCloseable {
    private static final String APPLICATION = "ddlrep admin";
    private static final int OPERATIONS = 0;

    private final GatewayConfig config;
    private final EngineConfig engine;
    private final AdminHooks hooks;
    private final OpenSessions sessions;
    private final DdlGate gate;
    private final AdminDatabase database;

    GatewayAdmin(
            GatewayConfig config,
            EngineConfig engine,
            AdminHooks hooks,
            WireConnector wire,
            OpenSessions sessions,
            Traffic traffic,
            DdlGate gate) {
        this.config = config;
        this.engine = engine;
        this.hooks = hooks;
        this.sessions = sessions;
        this.gate = gate;
        List<AdminTable> tables = new ArrayList<>(GatewayTables.of(
                sessions, traffic, config.origin().database(), this::state, hooks.config(), hooks.version()));
        tables.addAll(new GroupTables(config.origin(), this::open, this).tables());
        this.database = new AdminDatabase(hooks.users(), tables, this, this::nodes, wire);
    }

    AdminDatabase database() {
        return database;
    }

    private NodeSession open(NodeAddress address) {
        return engine.connector().open(address, engine.service().orElseThrow(), APPLICATION);
    }

    private Map<String, String> state() {
        Map<String, String> state = new LinkedHashMap<>();
        state.put("paused", gate.isPaused() ? "yes" : "no");
        state.put("draining", sessions.isDraining() ? "yes" : "no");
        return state;
    }

    private Group group(NodeSession session) {
        return GroupReader.read(session)
                .orElseThrow(() -> new NodeException(
                        session.node(), ServerError.of("55000", "the origin's database is in no group"), null));
    }

    @Override
    public List<NodeAddress> nodes() {
        try (NodeSession session = open(config.origin())) {
            return nodes(group(session));
        }
    }

    /** The origin as this gateway reaches it, the others as the group has them, or as the engine was told. */
    private List<NodeAddress> nodes(Group group) {
        List<NodeAddress> nodes = new ArrayList<>();
        for (NodeAddress known : new TreeMap<>(group.nodes()).values()) {
            NodeAddress origin = config.origin();
            nodes.add(
                    known.name().equals(group.self())
                            ? new NodeAddress(known.name(), origin.host(), origin.port(), origin.database())
                            : engine.addresses().getOrDefault(known.name(), known));
        }
        return nodes;
    }

    @Override
    public GroupStatus status() {
        try (NodeSession session = open(config.origin())) {
            Group group = group(session);
            Map<String, NodeAddress> reached = new LinkedHashMap<>();
            nodes(group).forEach(node -> reached.put(node.name(), node));
            NodeAccess access =
                    new NodeAccess(engine.connector(), reached, engine.service().orElseThrow(), engine.apply());
            try (TriggerSubstrate substrate = new TriggerSubstrate(access, group.self())) {
                return new GroupStatusReader(address -> open(reached.getOrDefault(address.name(), address)), substrate)
                        .read(session, OPERATIONS);
            }
        }
    }

    boolean isPaused() {
        return gate.isPaused();
    }

    /** Whether clients should be sent here. */
    Optional<String> problem() {
        if (sessions.isDraining()) {
            return Optional.of("draining");
        }
        try (NodeSession session = open(config.origin())) {
            session.execute("SELECT 1");
            return Optional.empty();
        } catch (NodeException e) {
            return Optional.of("the origin cannot be used: " + e.error().message());
        }
    }

    @Override
    public void pause() {
        gate.pause();
    }

    @Override
    public void resume() {
        gate.resume();
    }

    @Override
    public void reload() {
        hooks.reload().run();
    }

    @Override
    public void drain() {
        hooks.drain().run();
    }

    @Override
    public boolean kill(long id) {
        return sessions.kill(id);
    }

    @Override
    public List<String> resolve() {
        Group group;
        try (NodeSession session = open(config.origin())) {
            group = group(session);
        }
        try (TriggerEngine opened = TriggerEngine.open(engine, group, TriggerSubstrate::of)) {
            GroupRecovery.Report report = new GroupRecovery(opened).run();
            List<String> lines = new ArrayList<>(report.lines());
            lines.add(report.clean() ? "nothing is left to do" : "not everything is finished");
            return lines;
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
