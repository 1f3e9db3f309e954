package io.ddlrep.gateway.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code ddlrep gateway} is told on its command line. Filled by picocli, then read by any thread. */
final class GatewayFlags {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Settings in YAML, as docs/gateway.md has them; flags come first. Read anew at SIGHUP and RELOAD.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where clients connect; *:PORT is every address (" + GatewaySettings.LISTEN + ").")
    private @Nullable String listen;

    @Option(
            names = "--auth",
            paramLabel = "scram|trust",
            description = "scram: clients log in at the gateway by SCRAM-SHA-256, with the passwords that they have on"
                    + " the origin, and the gateway logs in on the nodes as them. trust: for development, where every node"
                    + " trusts the gateway's host; the gateway asks nobody for a password (scram).")
    private GatewayCommand.@Nullable Auth auth;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "The gateway's certificate, PEM: clients may use TLS.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, PEM, PKCS 8, not encrypted.")
    private @Nullable Path key;

    @Option(names = "--no-replicate", description = "Leave the rows to a ddlrep replicate elsewhere.")
    private boolean idle;

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            description = "How long clients may take at SIGTERM or Ctrl-C to end their transactions (30).")
    private @Nullable Integer drainSeconds;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "Where monitoring asks for /metrics (Prometheus), /healthz and /readyz; nowhere by default.")
    private @Nullable String http;

    @Option(
            names = "--admin-user",
            paramLabel = "USER",
            description = "May read the database ddlrep of this gateway, and give commands there; may be repeated.")
    private Set<String> admins = new LinkedHashSet<>();

    @Option(
            names = "--stats-user",
            paramLabel = "USER",
            description = "May read the database ddlrep of this gateway; may be repeated.")
    private Set<String> readers = new LinkedHashSet<>();

    GatewayFlags() {}

    Optional<Path> config() {
        return Optional.ofNullable(config);
    }

    Optional<String> listen() {
        return Optional.ofNullable(listen);
    }

    Optional<GatewayCommand.Auth> auth() {
        return Optional.ofNullable(auth);
    }

    Optional<Path> certificate() {
        return Optional.ofNullable(certificate);
    }

    Optional<Path> key() {
        return Optional.ofNullable(key);
    }

    boolean idle() {
        return idle;
    }

    Optional<Duration> drain() {
        return Optional.ofNullable(drainSeconds).map(Duration::ofSeconds);
    }

    Optional<String> http() {
        return Optional.ofNullable(http);
    }

    Set<String> admins() {
        return admins;
    }

    Set<String> readers() {
        return readers;
    }
}
