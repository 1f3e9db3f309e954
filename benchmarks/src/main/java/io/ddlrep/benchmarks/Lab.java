package io.ddlrep.benchmarks;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgServerOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Three servers of our own, with fsync on, and how much is to be measured. Every benchmark makes databases of its own on
 * them and drops these again. {@code wal_level} is {@code logical} everywhere, since native logical replication is one of
 * the peers. Used by one thread; closing it stops the servers.
 */
final class Lab implements AutoCloseable {
    private static final int NODES = 3;

    private final PgGroup servers;
    private final Size size;

    private Lab(PgGroup servers, Size size) {
        this.servers = servers;
        this.size = size;
    }

    static Lab start(int major, Size size) {
        PgServerOptions options = PgServerOptions.of(major)
                .withFsync(true)
                .withSynchronousCommit("on")
                .withSetting("wal_level", "logical")
                .withSetting("shared_buffers", "256MB")
                .withSetting("max_wal_size", "4GB");
        return new Lab(PgGroup.dedicated("lab", Collections.nCopies(NODES, options)), size);
    }

    Size size() {
        return size;
    }

    /** The folder on whose disk the origin's data stands. */
    Path disk() {
        return servers.server(1).dataDirectory();
    }

    /** A database without ddlrep on a server; number 1 is the one where the origins are. */
    PgNode database(int server, String name) throws SQLException {
        PgNode lab = servers.node(server);
        lab.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)", "CREATE DATABASE " + name);
        return lab.withDatabase(name);
    }

    /** Drops a database, whoever still uses it. */
    void drop(PgNode database) throws SQLException {
        PgNode lab = database.withDatabase(servers.node(1).database());
        lab.execute("DROP DATABASE IF EXISTS " + database.database() + " WITH (FORCE)");
    }

    /**
     * A group over all servers, in databases of its own.
     *
     * @param name of the databases
     * @param schema statements that make schema {@code app} and its tables; run on every node
     * @param rows statements that fill them; run on the origin, and copied from there
     */
    LabGroup group(String name, List<String> schema, List<String> rows) throws SQLException {
        List<PgNode> nodes = new ArrayList<>();
        for (int server = 1; server <= NODES; server++) {
            PgNode node = database(server, name);
            node.execute(schema.toArray(String[]::new));
            nodes.add(node);
        }
        nodes.get(0).execute(rows.toArray(String[]::new));
        return LabGroup.initialise(this, nodes);
    }

    @Override
    public void close() {
        servers.close();
    }
}
