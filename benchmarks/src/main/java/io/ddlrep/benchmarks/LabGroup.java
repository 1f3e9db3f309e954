package io.ddlrep.benchmarks;

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
import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A group that replicates schema {@code app}; its replicator runs only once it is asked for. Used by one thread, except
 * {@link #synchronize}, which any thread may call; closing it drops its databases.
 */
final class LabGroup implements AutoCloseable {
    private static final String PUBLICATION = "default";
    private static final String SHADOWS = "SELECT format('TRUNCATE %s', string_agg(c.oid::regclass::text, ', '))"
            + " FROM pg_class c WHERE c.relnamespace = 'ddlrep_shadow'::regnamespace AND c.relkind = 'r'"
            + " HAVING count(*) > 0";

    private final Lab lab;
    private final List<PgNode> nodes;
    private final NodeAccess access;
    private final TriggerSubstrate substrate;
    private @Nullable Replicator replicator;

    private LabGroup(Lab lab, List<PgNode> nodes, NodeAccess access) {
        this.lab = lab;
        this.nodes = List.copyOf(nodes);
        this.access = access;
        this.substrate = new TriggerSubstrate(access, nodes.get(0).name());
    }

    static LabGroup initialise(Lab lab, List<PgNode> nodes) {
        Connector connector = new JdbcConnector(Map.of());
        PgNode origin = nodes.get(0);
        Credentials service = service(origin);
        Map<String, NodeAddress> addresses = new LinkedHashMap<>();
        List<GroupMember> members = new ArrayList<>();
        for (PgNode node : nodes) {
            NodeAddress address = new NodeAddress(node.name(), node.host(), node.port(), node.database());
            addresses.put(node.name(), address);
            members.add(new GroupMember(address, connector.open(address, service, "ddlrep init")));
        }
        NodeAccess access = new NodeAccess(connector, addresses, service, apply(origin));
        InitialCopy copy = new InitialCopy(access, origin.name());
        try {
            new GroupInitializer(new ControlInstaller(), () -> new TriggerSubstrate(access, origin.name()), copy::run)
                    .init(
                            members,
                            new NewPublication(PUBLICATION, Group.Scope.SCHEMAS, List.of("app"), List.of()),
                            Optional.of(origin.password()));
        } finally {
            members.forEach(member -> member.session().close());
        }
        return new LabGroup(lab, nodes, access);
    }

    /** Credentials of the service. */
    static Credentials service(PgNode origin) {
        return new Credentials(origin.superuser(), origin.password());
    }

    /** Credentials of the role that applies rows. */
    static Credentials apply(PgNode origin) {
        return new Credentials("ddlrep_apply", origin.password());
    }

    PgNode origin() {
        return nodes.get(0);
    }

    /** Replica {@code number}, from 1. */
    PgNode replica(int number) {
        return nodes.get(number);
    }

    /** A connection of {@code jdbc:ddlrep:} to the origin. */
    Connection connect() throws SQLException {
        PgNode origin = origin();
        return DriverManager.getConnection(
                "jdbc:ddlrep://" + origin.host() + ":" + origin.port() + "/" + origin.database() + "?applyPassword="
                        + origin.password() + "&serviceUser=" + origin.superuser() + "&servicePassword="
                        + origin.password(),
                origin.superuser(),
                origin.password());
    }

    /** Starts what keeps the replicas current; without it they stand still until {@link #synchronize}. */
    void startReplicator() {
        if (replicator == null) {
            String origin = origin().name();
            replicator = new Replicator(
                    substrate, access, origin, Replicator.controlSchema(access, origin), Replicator.Pace.standard());
            replicator.start();
        }
    }

    /** How the replicas are doing, for an error message. */
    String replicas() {
        return replicator == null ? "no replicator" : replicator.status().toString();
    }

    /** Where the origin is now. */
    Point mark() {
        return substrate.mark();
    }

    /** Brings replica {@code number} to a point; returns the changes read. */
    long synchronize(int number, Point point) {
        return substrate.synchronize(PUBLICATION, replica(number).name(), point);
    }

    /** Empties the shadow tables as a replicator would; whatever the replicas lack is lost to them. */
    void forgetChanges() throws SQLException {
        String truncate = origin().queryText(SHADOWS);
        if (truncate != null) {
            origin().execute(truncate);
        }
    }

    @Override
    public void close() throws SQLException {
        if (replicator != null) {
            replicator.close();
        }
        substrate.close();
        for (PgNode node : nodes) {
            lab.drop(node);
        }
    }
}
