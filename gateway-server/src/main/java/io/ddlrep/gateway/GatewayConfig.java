package io.ddlrep.gateway;

import io.ddlrep.engine.node.NodeAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What a gateway is told. Immutable.
 *
 * @param listen where clients connect; port 0 takes a free one
 * @param origin the group's origin
 * @param connectTimeout how long to wait for a connection to the origin
 * @param loginTimeout how long a client may take for its startup packet, and for its login
 * @param threads event loops
 */
public record GatewayConfig(
        InetSocketAddress listen, NodeAddress origin, Duration connectTimeout, Duration loginTimeout, int threads) {
    /** With the usual limits. */
    public static GatewayConfig of(InetSocketAddress listen, NodeAddress origin) {
        return new GatewayConfig(
                listen,
                origin,
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Runtime.getRuntime().availableProcessors());
    }
}
