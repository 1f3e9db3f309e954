package io.ddlrep.examples.clients;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Three nodes with a gateway, which ask for passwords by SCRAM, and beside them a database of no group. A role that is no
 * superuser owns what is made there. Used by one thread.
 */
final class Nodes implements AutoCloseable {
    private static final String ROLE = "app";
    private static final String PASSWORD = "secret";

    private final EmbeddedGroup group;
    private final PgNode gateway;
    private final PgNode alone;

    private Nodes(EmbeddedGroup group) throws SQLException {
        this.group = group;
        this.gateway = group.startScramGateway(0);
        this.alone = group.origin().withDatabase("alone");
        group.origin().withDatabase("postgres").execute("CREATE DATABASE alone OWNER app TEMPLATE template0");
    }

    static Nodes start() throws SQLException {
        PgServerOptions options = PgServerOptions.defaults().withAuthentication(PgServerOptions.Authentication.SCRAM);
        String[] verifier = {PASSWORD};
        EmbeddedGroup group = EmbeddedGroup.start("clients", Collections.nCopies(3, options), node -> {
            node.execute("CREATE ROLE app LOGIN PASSWORD '" + verifier[0] + "'", "ALTER DATABASE clients OWNER TO app");
            // What the first server has made of the password; each would make a salt of its own.
            verifier[0] =
                    Objects.requireNonNull(node.queryText("SELECT rolpassword FROM pg_authid WHERE rolname = 'app'"));
        });
        try {
            return new Nodes(group);
        } catch (RuntimeException | SQLException e) {
            group.close();
            throw e;
        }
    }

    private static PgNode asRole(PgNode node) {
        return new PgNode(node.name(), node.host(), node.port(), node.database(), ROLE, PASSWORD);
    }

    /** The origin through the gateway, as the clients' role. */
    PgNode through() {
        return asRole(gateway);
    }

    /** The database of no group, as the clients' role. */
    PgNode aloneAsRole() {
        return asRole(alone);
    }

    /** The database of no group, as a superuser. */
    PgNode alone() {
        return alone;
    }

    /** The nodes as a superuser, the origin first. */
    List<PgNode> all() {
        return group.nodes();
    }

    /** Brings the replicas to where the origin is. */
    void synchronize() {
        group.synchronize();
    }

    @Override
    public void close() {
        group.close();
    }
}
