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
            paramLabel = "scram|cert|trust",
            description = "scram: clients log in at the gateway by SCRAM-SHA-256, with the passwords that they have on"
                    + " the origin, and the gateway logs in on the nodes as them. cert: by a certificate of --tls-client-ca, and"
                    + " the nodes know the gateway by its own (sslcert, sslkey of --origin). trust: for development, where every node"
                    + " trusts the gateway's host; the gateway asks nobody for a password (scram).")
    private GatewayCommand.@Nullable Auth auth;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "The gateway's certificate, PEM: clients may use TLS.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, PEM, PKCS 8, not encrypted.")
    private @Nullable Path key;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description = "Authorities, PEM: clients may show a certificate of theirs.")
    private @Nullable Path authorities;

    @Option(
            names = "--tls-user-map",
            paramLabel = "FILE",
            description = "Which roles a certificate may log in as: lines of a name and a role, by the rules of"
                    + " pg_ident.conf. Without it, the role of its own name.")
    private @Nullable Path userMap;

    @Option(
            names = "--reuse-port",
            description = "Let other gateways listen on the same port, for restarts without a gap (SO_REUSEPORT).")
    private boolean shared;

    @Option(names = "--log-format", paramLabel = "text|json", description = "How lines of the log are written (text).")
    private GatewaySettings.@Nullable LogFormat logFormat;

    @Option(names = "--log-connections", description = "Log the begin and the end of each session.")
    private boolean logConnections;

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

    Optional<Path> authorities() {
        return Optional.ofNullable(authorities);
    }

    Optional<Path> userMap() {
        return Optional.ofNullable(userMap);
    }

    boolean shared() {
        return shared;
    }

    Optional<GatewaySettings.LogFormat> logFormat() {
        return Optional.ofNullable(logFormat);
    }

    boolean logConnections() {
        return logConnections;
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
