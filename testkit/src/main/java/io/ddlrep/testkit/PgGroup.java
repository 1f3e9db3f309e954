package io.ddlrep.testkit;

import io.ddlrep.testkit.junit.Skip;
import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServer;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A group of fresh, empty databases, one per server, dropped at {@link #close()}.
 *
 * <pre>{@code
 * try (PgGroup group = PgGroup.create("orders")) {
 *     group.node(1).execute("CREATE TABLE t (id int PRIMARY KEY)");
 * }
 * }</pre>
 *
 * <p>With property {@code ddlrep.test.nodes} (conninfo strings joined by {@code |}) shared groups are made on those
 * servers instead; what only an embedded server can do is then skipped visibly. Nodes count from 1, as their names do.
 * Thread-safe.
 */
public final class PgGroup implements AutoCloseable {

    /** Property that names an external group. */
    public static final String EXTERNAL_NODES = "ddlrep.test.nodes";

    private static final int FIRST_WITH_STRATEGIES = 15;

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final List<PgNode> nodes;
    private final List<PgServer> servers;
    private final boolean ownsServers;

    private PgGroup(List<PgNode> nodes, List<PgServer> servers, boolean ownsServers) {
        this.nodes = List.copyOf(nodes);
        this.servers = List.copyOf(servers);
        this.ownsServers = ownsServers;
    }

    /** Three nodes of the default major on shared servers. */
    public static PgGroup create(String name) {
        return create(name, 3);
    }

    /** {@code size} nodes of the default major on shared servers. */
    public static PgGroup create(String name, int size) {
        String external = System.getProperty(EXTERNAL_NODES, "");
        return external.isBlank() ? create(name, size, PgBinaries.defaultMajor()) : external(name, size, external);
    }

    /** {@code size} nodes of one major on shared embedded servers, whatever the external group is. */
    public static PgGroup create(String name, int size, int major) {
        return onShared(name, TestServers.shared(major, size));
    }

    /** {@code perServer} nodes, which are databases of one server, on each of {@code servers} shared servers. */
    public static PgGroup sharing(String name, int servers, int perServer) {
        int major = PgBinaries.defaultMajor();
        List<PgNode> nodes = new ArrayList<>();
        List<PgServer> ofNodes = new ArrayList<>();
        for (PgServer server : TestServers.shared(major, servers)) {
            for (int i = 0; i < perServer; i++) {
                PgNode node = nodesOn(List.of(server), name + "_" + NEXT.incrementAndGet())
                        .get(0);
                nodes.add(node.named("n" + (nodes.size() + 1)));
                ofNodes.add(server);
            }
        }
        return new PgGroup(nodes, List.of(), false).createDatabases(ofNodes, true);
    }

    /** One node per major on shared embedded servers. */
    public static PgGroup ofMajors(String name, int... majors) {
        List<PgServer> servers = new ArrayList<>();
        for (int major : majors) {
            List<PgServer> ofMajor = TestServers.shared(major, 1 + count(servers, major));
            servers.add(ofMajor.get(ofMajor.size() - 1));
        }
        return onShared(name, servers);
    }

    /** A group on servers of its own, which may be killed and are closed with it. */
    public static PgGroup dedicated(int size, PgServerOptions options) {
        return dedicated("dedicated", Collections.nCopies(size, options));
    }

    /** A group on servers of its own, one per element of {@code options}; {@code database} is taken as it is. */
    public static PgGroup dedicated(String database, List<PgServerOptions> options) {
        List<PgServer> servers = TestServers.start(options);
        return new PgGroup(nodesOn(servers, database), servers, true).createDatabases(servers, false);
    }

    private static int count(List<PgServer> servers, int major) {
        return (int) servers.stream().filter(server -> server.major() == major).count();
    }

    private static PgGroup onShared(String name, List<PgServer> servers) {
        String database = name + "_" + NEXT.incrementAndGet();
        return new PgGroup(nodesOn(servers, database), servers, false).createDatabases(servers, true);
    }

    private static List<PgNode> nodesOn(List<PgServer> servers, String database) {
        List<PgNode> nodes = new ArrayList<>();
        for (PgServer server : servers) {
            String name = "n" + (nodes.size() + 1);
            nodes.add(new PgNode(name, server.host(), server.port(), database, server.superuser(), server.password()));
        }
        return nodes;
    }

    private static PgGroup external(String name, int size, String conninfos) {
        List<String> servers = ExternalServers.named(conninfos, size, PgBinaries.defaultMajor());
        Skip.unless(servers.size() >= size, size + " nodes are needed, " + EXTERNAL_NODES + " names " + servers.size());
        List<PgNode> nodes = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            PgNode node = Conninfo.toNode("n" + i, servers.get(i - 1).strip());
            // Several nodes may stand in one server, and other runs may use it too.
            String database = name + "_" + ProcessHandle.current().pid() + "_" + NEXT.incrementAndGet() + "_n" + i;
            try {
                node.execute("CREATE DATABASE \"" + database + "\" TEMPLATE template0");
            } catch (SQLException e) {
                throw new TestkitException("cannot create a database on " + node, e);
            }
            nodes.add(node.withDatabase(database));
        }
        return new PgGroup(nodes, List.of(), false);
    }

    /** Where nothing is flushed, files are copied three times as fast as blocks are logged. */
    private PgGroup createDatabases(List<PgServer> ofNodes, boolean unflushed) {
        for (int i = 0; i < nodes.size(); i++) {
            PgNode node = nodes.get(i);
            String strategy = unflushed && ofNodes.get(i).major() >= FIRST_WITH_STRATEGIES ? " STRATEGY file_copy" : "";
            try {
                node.withDatabase("postgres")
                        .execute("CREATE DATABASE \"" + node.database() + "\" TEMPLATE template0" + strategy);
            } catch (SQLException e) {
                throw new TestkitException("cannot create a database on " + node, e);
            }
        }
        return this;
    }

    public int size() {
        return nodes.size();
    }

    /** Node {@code number}, from 1: {@code node(1)} is n1. */
    public PgNode node(int number) {
        return nodes.get(number - 1);
    }

    public List<PgNode> nodes() {
        return nodes;
    }

    /** Runs the statements on every node, as the superuser, in autocommit. */
    public void executeOnAll(String... statements) throws SQLException {
        for (PgNode node : nodes) {
            node.execute(statements);
        }
    }

    /** The server of node {@code number}, from 1; the test is skipped visibly on an external group. */
    public PgServer server(int number) {
        Skip.unless(!servers.isEmpty(), "the servers of an external group cannot be stopped, killed or read");
        return servers.get(number - 1);
    }

    /** Kills the server of node {@code number} as {@code kill -9} does; for dedicated groups. */
    public void kill9(int number) {
        requireOwnServers();
        server(number).kill9();
    }

    /** Starts the server of node {@code number} again after a stop or kill; restarts it when it runs. */
    public void restart(int number) {
        requireOwnServers();
        server(number).restart();
    }

    private void requireOwnServers() {
        if (!ownsServers && !servers.isEmpty()) {
            throw new IllegalStateException("these servers are shared with other tests: use PgGroup.dedicated");
        }
    }

    /** Drops the databases, with whatever still uses them; closes the servers of a dedicated group. */
    @Override
    public void close() {
        if (ownsServers) {
            servers.forEach(PgServer::close);
            return;
        }
        TestkitException failure = null;
        for (PgNode node : nodes) {
            try {
                DatabaseDrop.drop(node);
            } catch (SQLException e) {
                failure = new TestkitException("cannot drop the database of " + node, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public String toString() {
        return nodes.toString();
    }
}
