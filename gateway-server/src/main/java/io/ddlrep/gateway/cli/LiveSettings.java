package io.ddlrep.gateway.cli;

import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.startup.Tls;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of a running gateway. Thread-safe. */
final class LiveSettings {
    private volatile GatewaySettings now;
    private volatile @Nullable GatewayServer gateway;

    LiveSettings(GatewaySettings settings) {
        this.now = settings;
    }

    GatewaySettings now() {
        return now;
    }

    /** The gateway has begun. */
    void serves(GatewayServer server) {
        gateway = server;
    }

    /**
     * Reads the file anew: users of the admin database, the time for draining, and the certificate are in force at once, for
     * connections that come.
     *
     * @throws IllegalStateException where it cannot be read, has mistakes, or changes what needs a new process; nothing has
     *     changed then
     */
    synchronized void reload(GatewayFlags flags) {
        if (flags.config().isEmpty()) {
            throw new IllegalStateException("the gateway was started without --config: there is nothing to reload");
        }
        try {
            GatewaySettings next = GatewaySettings.of(flags);
            List<String> late = now.needRestart(next);
            if (!late.isEmpty()) {
                throw new IllegalStateException("these need a restart of the gateway: " + String.join(", ", late));
            }
            Optional<Tls> tls = next.tls().read();
            GatewayServer server = gateway;
            if (server != null) {
                tls.ifPresent(server::encryptWith);
            }
            Logs.connections(next.logs().connections());
            now = next;
        } catch (IllegalArgumentException | IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
