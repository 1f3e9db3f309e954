package io.ddlrep.gateway.session;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** One node with a gateway in front of it. Immutable. */
final class GatewayFixture implements AutoCloseable {
    private final PgGroup group;
    private final GatewayServer gateway;

    private GatewayFixture(PgGroup group, GatewayServer gateway) {
        this.group = group;
        this.gateway = gateway;
    }

    static GatewayFixture create(String name) {
        PgGroup group = PgGroup.create(name, 1);
        PgNode node = group.node(1);
        return new GatewayFixture(group, gateway(node.host(), node.port(), node.database()));
    }

    /** A gateway in front of any address. */
    static GatewayServer gateway(String host, int port, String database) {
        return GatewayServer.start(
                GatewayConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new NodeAddress("n1", host, port, database),
                        new ClientAuth.Trust()),
                Optional.empty());
    }

    /** The node itself. */
    PgNode direct() {
        return group.node(1);
    }

    /** The same node through the gateway. */
    PgNode through() {
        InetSocketAddress address = gateway.address();
        return direct().at(address.getAddress().getHostAddress(), address.getPort());
    }

    @Override
    public void close() {
        gateway.close();
        group.close();
    }
}
