package io.ddlrep.engine.control;

import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A group of databases with the control schema on each, without publications. */
public final class InstalledGroup implements AutoCloseable {
    private final PgGroup group;
    private final Installation installation;

    private InstalledGroup(PgGroup group, Installation installation) {
        this.group = group;
        this.installation = installation;
    }

    /** Takes the group over: it is closed with this. */
    public static InstalledGroup on(PgGroup group) {
        Installation installation = new Installation("g1", "n1", members(group), GroupKey.random(), Optional.empty());
        for (PgNode node : group.nodes()) {
            try (NodeSession session = open(node)) {
                new ControlInstaller().install(session, installation.forNode(node.name()));
            }
        }
        return new InstalledGroup(group, installation);
    }

    static List<Installation.Member> members(PgGroup group) {
        List<Installation.Member> members = new ArrayList<>();
        for (PgNode node : group.nodes()) {
            try (NodeSession session = open(node)) {
                members.add(new Installation.Member(address(node), NodeIdentity.read(session)));
            }
        }
        return members;
    }

    public static NodeAddress address(PgNode node) {
        return new NodeAddress(node.name(), node.host(), node.port(), node.database());
    }

    /** A superuser's session. */
    public static NodeSession open(PgNode node) {
        return open(node, node.superuser(), node.password());
    }

    public static NodeSession open(PgNode node, String user, String password) {
        return new JdbcConnector(Map.of())
                .open(address(node), new Credentials(user, password.isEmpty() ? null : password), "test");
    }

    public NodeSession session(int node) {
        return open(group.node(node));
    }

    public PgGroup group() {
        return group;
    }

    public Installation installation() {
        return installation;
    }

    /** Writes a publication with origin n1 on every node, and its tables without any triggers. */
    public void publish(String scope, String schemas, String... tables) {
        for (PgNode node : group.nodes()) {
            try (NodeSession session = open(node)) {
                session.update(
                        "INSERT INTO ddlrep.publication (name, origin, scope, schemas) VALUES ('default', 'n1', $1, $2::text::text[])",
                        scope,
                        schemas);
                int id = 1;
                for (String table : tables) {
                    session.update(
                            "INSERT INTO ddlrep.replicated_table (table_id, publication, relid, schema_name, table_name,"
                                    + " generation, key_columns, capture, shape) SELECT $1, 'default', c.oid, n.nspname, c.relname,"
                                    + " 1, '{}', 'none', '' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                    + " WHERE c.oid = $2::text::regclass",
                            id++,
                            table);
                }
            }
        }
    }

    @Override
    public void close() {
        group.close();
    }
}
