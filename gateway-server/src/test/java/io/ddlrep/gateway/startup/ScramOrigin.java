package io.ddlrep.gateway.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.GroupKey;
import io.ddlrep.engine.control.Installation;
import io.ddlrep.engine.control.NodeIdentity;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An origin that asks everybody for a password, with a role alice, and the service's way to its verifiers. */
final class ScramOrigin implements AutoCloseable {
    private static final String SERVICE_PASSWORD = "service";

    private final PgGroup group;
    private final NodeAddress address;
    private final OriginVerifiers verifiers;

    private ScramOrigin(PgGroup group, NodeAddress address, OriginVerifiers verifiers) {
        this.group = group;
        this.address = address;
        this.verifiers = verifiers;
    }

    static ScramOrigin create() throws SQLException {
        PgGroup group = PgGroup.dedicated(
                1,
                PgServerOptions.of(PgBinaries.defaultMajor()).withAuthentication(PgServerOptions.Authentication.SCRAM));
        PgNode node = group.node(1);
        NodeAddress address = new NodeAddress("n1", node.host(), node.port(), node.database());
        JdbcConnector connector = new JdbcConnector(Map.of());
        try (NodeSession session =
                connector.open(address, new Credentials(node.superuser(), node.password()), "test")) {
            Installation installation = new Installation(
                    "test",
                    "n1",
                    List.of(new Installation.Member(address, NodeIdentity.read(session))),
                    GroupKey.of(new byte[32]),
                    Optional.empty());
            new ControlInstaller().install(session, installation.forNode("n1"));
        }
        OriginVerifiers verifiers =
                new OriginVerifiers(connector, address, new Credentials("ddlrep_service", SERVICE_PASSWORD));
        ScramOrigin origin = new ScramOrigin(group, address, verifiers);
        origin.execute("ALTER ROLE ddlrep_service PASSWORD '" + SERVICE_PASSWORD + "'");
        origin.execute("CREATE ROLE alice LOGIN PASSWORD 'wonder land'");
        return origin;
    }

    /** Runs statements as the superuser, which stay on this node. */
    void execute(String... statements) throws SQLException {
        for (String statement : statements) {
            group.node(1).execute("SET ddlrep.replicate = off", statement);
        }
    }

    NodeAddress address() {
        return address;
    }

    OriginVerifiers verifiers() {
        return verifiers;
    }

    String database() {
        return address.database();
    }

    void awaitSleeping() {
        await("a session sleeps")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(group.node(1)
                                .queryText("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
                        .isEqualTo("1"));
    }

    @Override
    public void close() {
        verifiers.close();
        group.close();
    }
}
