package io.ddlrep.gateway;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.gateway.startup.Tls;
import io.ddlrep.gateway.wire.NodeTls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * What a gateway is told. Immutable.
 *
 * @param listen where clients connect
 * @param origin the group's origin
 * @param auth how the gateway learns who a client is
 * @param encryption of connections
 * @param connectTimeout how long to wait for a connection to the origin
 * @param loginTimeout how long a client may take for its startup packet, and for its login
 * @param threads event loops
 */
public record GatewayConfig(
        Listen listen,
        NodeAddress origin,
        ClientAuth auth,
        Encryption encryption,
        Duration connectTimeout,
        Duration loginTimeout,
        int threads) {
    /**
     * Where clients connect.
     *
     * @param address port 0 takes a free one
     * @param shared whether other processes may listen there, too, among which the kernel divides the clients
     */
    public record Listen(InetSocketAddress address, boolean shared) {}

    /**
     * How connections are encrypted.
     *
     * @param clients with what clients' connections are where they ask for it; empty: they are told that it cannot be
     * @param nodes how those to the nodes are
     */
    public record Encryption(Optional<Tls> clients, NodeTls nodes) {
        /** None. */
        public static final Encryption NONE = new Encryption(Optional.empty(), NodeTls.NONE);
    }

    /** The same, encrypted otherwise. */
    public GatewayConfig with(Encryption other) {
        return new GatewayConfig(listen, origin, auth, other, connectTimeout, loginTimeout, threads);
    }

    /** Without encryption and with the usual limits. */
    public static GatewayConfig of(InetSocketAddress listen, NodeAddress origin, ClientAuth auth) {
        return new GatewayConfig(
                new Listen(listen, false),
                origin,
                auth,
                Encryption.NONE,
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                loops());
    }

    /**
     * How many event loops are usual: one for two processors. A relay spends most of its time in the kernel, and the fewer
     * threads share the clients, the more each of them finds to do when it wakes up.
     */
    public static int loops() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
