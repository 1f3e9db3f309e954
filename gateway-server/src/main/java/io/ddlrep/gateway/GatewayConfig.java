package io.ddlrep.gateway;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.startup.Tls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * What a gateway is told. Immutable.
 *
 * @param listen where clients connect; port 0 takes a free one
 * @param origin the group's origin
 * @param tls with what clients' connections are encrypted where they ask for it; empty: they are told that it cannot be
 * @param connectTimeout how long to wait for a connection to the origin
 * @param loginTimeout how long a client may take for its startup packet, and for its login
 * @param threads event loops
 */
public record GatewayConfig(
        InetSocketAddress listen,
        NodeAddress origin,
        Optional<Tls> tls,
        Duration connectTimeout,
        Duration loginTimeout,
        int threads) {
    /** The same with TLS, or without. */
    public GatewayConfig with(Optional<Tls> other) {
        return new GatewayConfig(listen, origin, other, connectTimeout, loginTimeout, threads);
    }

    /** With the usual limits. */
    public static GatewayConfig of(InetSocketAddress listen, NodeAddress origin) {
        return new GatewayConfig(
                listen,
                origin,
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Runtime.getRuntime().availableProcessors());
    }
}
