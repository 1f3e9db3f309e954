package io.ddlrep.gateway.cli;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.AdminHooks;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.Monitoring;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.gateway.startup.OriginVerifiers;
import io.ddlrep.gateway.startup.Tls;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep gateway}. */
@Command(
        name = "gateway",
        description =
                "Puts one PostgreSQL endpoint in front of a group: psql, ORMs and any other client connect to it as"
                        + " to the origin, and their DDL is on every node when the statement returns. Takes changes to the replicas,"
                        + " too.")
final class GatewayCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Who asks clients for their passwords. */
    enum Auth {
        /** The gateway, by the origin's SCRAM verifiers. */
        SCRAM,
        /** The gateway, by their certificates. */
        CERT,
        /** The gateway asks nobody. */
        TRUST
    }

    @Mixin
    private GroupOptions group = new GroupOptions();

    @Mixin
    private GatewayFlags flags = new GatewayFlags();

    @Option(names = "--check-config", description = "Only say whether flags and file can be understood.")
    private boolean check;

    GatewayCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        GatewaySettings settings = GatewaySettings.of(flags);
        Optional<Tls> tls = settings.tls().read();
        if (check) {
            group.common().tell("the configuration can be understood");
            return 0;
        }
        if (settings.logs().format() == GatewaySettings.LogFormat.JSON) {
            Logs.json();
            group.common().log();
        }
        Logs.connections(settings.logs().connections());
        settings.origin().ifPresent(group::originUnlessGiven);
        try (StopSignal stop = StopSignal.install(settings.drain());
                GroupConnection connection = group.connect()) {
            EngineConfig engine = connection.config();
            NodeAddress origin = connection.originAddress();
            GatewayConfig.Encryption encryption = new GatewayConfig.Encryption(tls, connection.encryption());
            try (OriginVerifiers verifiers = new OriginVerifiers(
                    engine.connector(), origin, engine.service().orElseThrow())) {
                GatewayConfig config = new GatewayConfig(
                        new GatewayConfig.Listen(ListenAddress.parse(settings.listen()), settings.shared()),
                        origin,
                        auth(settings, verifiers),
                        encryption,
                        settings.connectTimeout(),
                        settings.loginTimeout(),
                        GatewayConfig.loops());
                return serve(stop, connection, config, engine, new LiveSettings(settings));
            }
        }
    }

    private ClientAuth auth(GatewaySettings settings, OriginVerifiers verifiers) {
        return switch (settings.auth()) {
            case SCRAM -> {
                verifiers.check();
                yield new ClientAuth.Scram(verifiers);
            }
            case CERT -> new ClientAuth.Certificate();
            case TRUST -> {
                group.common()
                        .tell("WARNING: --auth trust asks NOBODY for a password. Whoever reaches " + settings.listen()
                                + " is whatever user he says, where the nodes trust this host. For development only.");
                yield new ClientAuth.Trust();
            }
        };
    }

    private int serve(
            StopSignal stop,
            GroupConnection connection,
            GatewayConfig config,
            EngineConfig engine,
            LiveSettings settings)
            throws InterruptedException {
        try (GatewayServer gateway = GatewayServer.start(config, Optional.of(engine), hooks(stop, settings))) {
            settings.serves(gateway);
            Optional<Monitoring> monitoring = monitoring(gateway, settings.now());
            try {
                group.common()
                        .tell("gateway of " + config.origin() + " listens on "
                                + gateway.address().getHostString() + ":"
                                + gateway.address().getPort() + "; stop with Ctrl-C");
                if (!settings.now().replicate()) {
                    stop.await();
                    return drain(gateway, settings.now());
                }
                // Operations that are still open need no replicator, but changes of the last clients do.
                try (RunningReplicator replicator = RunningReplicator.start(connection)) {
                    while (!stop.await(LOOK)) {
                        replicator.tellChanges(group.common()::tell);
                    }
                    return drain(gateway, settings.now());
                }
            } finally {
                monitoring.ifPresent(Monitoring::close);
            }
        }
    }

    private Optional<Monitoring> monitoring(GatewayServer gateway, GatewaySettings settings) {
        Optional<Monitoring> monitoring =
                settings.http().map(ListenAddress::parse).map(gateway::monitor);
        monitoring.ifPresent(started -> group.common()
                .tell("monitoring: http://" + started.address().getHostString() + ":"
                        + started.address().getPort() + "/metrics, /healthz, /readyz"));
        return monitoring;
    }

    private AdminHooks hooks(StopSignal stop, LiveSettings settings) {
        Hangup.listen(() -> {
            try {
                settings.reload(flags);
                group.common().tell("SIGHUP: the configuration was read anew");
            } catch (IllegalStateException e) {
                group.common().tell("SIGHUP: nothing was changed: " + e.getMessage());
            }
        });
        return new AdminHooks(
                () -> settings.now().users(),
                () -> settings.reload(flags),
                stop::ask,
                () -> settings.now().shown(),
                "ddlrep " + version());
    }

    private static String version() {
        return Objects.requireNonNullElse(
                GatewayCommand.class.getPackage().getImplementationVersion(), "(built from source)");
    }

    private int drain(GatewayServer gateway, GatewaySettings settings) throws InterruptedException {
        if (!gateway.drain(settings.drain())) {
            group.common()
                    .tell("clients are still in transactions after "
                            + settings.drain().toSeconds()
                            + " s: their connections are closed, and the transactions rolled back");
        }
        return 0;
    }
}
