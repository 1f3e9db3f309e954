package io.ddlrep.gateway.cli;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.AdminHooks;
import io.ddlrep.gateway.GatewayConfig;
import io.ddlrep.gateway.GatewayServer;
import io.ddlrep.gateway.admin.AdminUsers;
import io.ddlrep.gateway.startup.OriginVerifiers;
import io.ddlrep.gateway.startup.Tls;
import io.ddlrep.gateway.startup.Verifiers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
        /** The gateway asks nobody. */
        TRUST
    }

    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "localhost:6432",
            description = "Where clients connect; *:PORT is every address (${DEFAULT-VALUE}).")
    private String listen = "localhost:6432";

    @Option(
            names = "--auth",
            paramLabel = "scram|trust",
            defaultValue = "scram",
            description = "scram: clients log in at the gateway by SCRAM-SHA-256, with the passwords that they have on"
                    + " the origin, and the gateway logs in on the nodes as them. trust: for development, where every node"
                    + " trusts the gateway's host; the gateway asks nobody for a password (${DEFAULT-VALUE}).")
    private Auth auth = Auth.SCRAM;

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
            defaultValue = "30",
            description =
                    "How long clients may take at SIGTERM or Ctrl-C to end their transactions (${DEFAULT-VALUE}).")
    private int drainSeconds;

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

    GatewayCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        InetSocketAddress address = ListenAddress.parse(listen);
        Optional<Tls> tls = tls();
        try (StopSignal stop = StopSignal.install(Duration.ofSeconds(drainSeconds));
                GroupConnection connection = group.connect()) {
            EngineConfig engine = connection.config();
            NodeAddress origin = connection.originAddress();
            GatewayConfig config = GatewayConfig.of(address, origin).with(tls);
            try (OriginVerifiers verifiers = new OriginVerifiers(
                    engine.connector(), origin, engine.service().orElseThrow())) {
                return serve(stop, connection, config, engine, verifiers);
            }
        }
    }

    private int serve(
            StopSignal stop,
            GroupConnection connection,
            GatewayConfig config,
            EngineConfig engine,
            OriginVerifiers verifiers)
            throws InterruptedException {
        if (auth == Auth.SCRAM) {
            verifiers.check();
        } else {
            group.common()
                    .tell("WARNING: --auth trust asks NOBODY for a password. Whoever reaches " + listen
                            + " is whatever user he says, where the nodes trust this host. For development only.");
        }
        Optional<Verifiers> asked = auth == Auth.SCRAM ? Optional.of(verifiers) : Optional.empty();
        try (GatewayServer gateway = GatewayServer.start(config, asked, Optional.of(engine), hooks(stop, config))) {
            group.common()
                    .tell("gateway of " + config.origin() + " listens on "
                            + gateway.address().getHostString() + ":"
                            + gateway.address().getPort() + "; stop with Ctrl-C");
            if (idle) {
                stop.await();
                return drain(gateway);
            }
            // Operations that are still open need no replicator, but changes of the last clients do.
            try (RunningReplicator replicator = RunningReplicator.start(connection)) {
                while (!stop.await(LOOK)) {
                    replicator.tellChanges(group.common()::tell);
                }
                return drain(gateway);
            }
        }
    }

    private AdminHooks hooks(StopSignal stop, GatewayConfig config) {
        AdminUsers users = new AdminUsers(admins, readers);
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("listen", listen);
        shown.put("origin", config.origin().toString());
        shown.put("auth", auth.name().toLowerCase(Locale.ROOT));
        shown.put("tls", config.tls().isPresent() ? "on" : "off");
        shown.put("replicate", idle ? "off" : "on");
        shown.put("drain", drainSeconds + " s");
        shown.put("admin_users", String.join(", ", admins));
        shown.put("stats_users", String.join(", ", readers));
        return new AdminHooks(
                () -> users,
                () -> {
                    throw new IllegalStateException(
                            "the gateway was started by flags alone: there is nothing to reload");
                },
                stop::ask,
                () -> shown,
                "ddlrep " + version());
    }

    private static String version() {
        return Objects.requireNonNullElse(
                GatewayCommand.class.getPackage().getImplementationVersion(), "(built from source)");
    }

    private int drain(GatewayServer gateway) throws InterruptedException {
        boolean all = gateway.drain(Duration.ofSeconds(drainSeconds));
        if (!all) {
            group.common()
                    .tell("clients are still in transactions after " + drainSeconds
                            + " s: their connections are closed, and the transactions rolled back");
        }
        return 0;
    }

    private Optional<Tls> tls() throws IOException {
        if (certificate == null && key == null) {
            return Optional.empty();
        }
        if (certificate == null || key == null) {
            throw new IllegalArgumentException("give --tls-cert and --tls-key, or neither");
        }
        return Optional.of(Tls.of(certificate, key));
    }
}
