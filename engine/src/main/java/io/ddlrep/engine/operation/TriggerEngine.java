package io.ddlrep.engine.operation;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.Fan;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.Substrate;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine over capture triggers, with the service's work in this process. Thread-safe. */
public final class TriggerEngine implements DdlEngine {
    private static final Logger LOG = LoggerFactory.getLogger(TriggerEngine.class);

    private final EngineConfig config;
    private final Services services;
    private final ExecutorService threads;
    private final ScheduledExecutorService timer;
    private final SecureRandom random = new SecureRandom();
    private volatile Group group;

    private TriggerEngine(
            EngineConfig config,
            Group group,
            Services services,
            ExecutorService threads,
            ScheduledExecutorService timer) {
        this.config = config;
        this.group = group;
        this.services = services;
        this.threads = threads;
        this.timer = timer;
    }

    /** Makes the substrate once the origin is known. */
    @FunctionalInterface
    public interface SubstrateFactory {
        /** Makes it. */
        Substrate create(EngineConfig config, Group group, Credentials service);
    }

    /**
     * Opens an engine.
     *
     * @param config must hold service credentials
     * @param group as read from the origin
     * @param substrates makes the substrate
     * @throws io.ddlrep.engine.DdlrepException 55000 without service credentials
     * @throws io.ddlrep.engine.node.NodeException when the origin refuses the service
     */
    public static TriggerEngine open(EngineConfig config, Group group, SubstrateFactory substrates) {
        Credentials service = config.service()
                .orElseThrow(() -> Errors.notReady(
                        "no service credentials, so DDL cannot be replicated",
                        "The client's own role may not do the work of the service.",
                        "Give serviceUser and servicePassword in the URL, or start: ddlrep replicate"));
        AtomicInteger number = new AtomicInteger();
        ThreadFactory daemon = task -> {
            Thread thread = new Thread(task, "ddlrep-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        ExecutorService threads = Executors.newCachedThreadPool(daemon);
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, daemon);
        try {
            Tickets tickets = new Tickets(key(config, group, service));
            Substrate substrate = substrates.create(config, group, service);
            Services services = new Services(
                    config, service, group, new Services.Tools(tickets, substrate, new Fan(threads), timer));
            return new TriggerEngine(config, group, services, threads, timer);
        } catch (RuntimeException e) {
            threads.shutdownNow();
            timer.shutdownNow();
            throw e;
        }
    }

    private static byte[] key(EngineConfig config, Group group, Credentials service) {
        NodeAddress address = config.addresses()
                .getOrDefault(group.self(), Objects.requireNonNull(group.nodes().get(group.self())));
        try (NodeSession session = config.connector().open(address, service, "ddlrep service")) {
            return HexFormat.of()
                    .parseHex(session.query("SELECT pg_catalog.encode(key, 'hex') AS key FROM ddlrep.secret")
                            .get(0)
                            .text("key"));
        }
    }

    @Override
    public Group group() {
        return group;
    }

    @Override
    public ClientSession open(NodeSession client, CompanionConnector companions, Consumer<Notice> notices) {
        return new WatchedClientSession(
                new TriggerClientSession(this, services, client, companions, notices), services.timer());
    }

    OperationSettings settings() {
        return config.settings();
    }

    SecureRandom random() {
        return random;
    }

    Services services() {
        return services;
    }

    /** Takes note of the group as it was just read: another process may have changed it. */
    void learn(Group read) {
        group = read;
        services.learn(read);
    }

    /** Tells the client what was done, as its settings want it. */
    void tell(OperationContext context, Consumer<Notice> notices) {
        OperationSettings.Notices wanted = context.settings().notices();
        String application = context.state().application();
        boolean tell = wanted == OperationSettings.Notices.SUMMARY
                || wanted == OperationSettings.Notices.STEPS
                || (wanted == OperationSettings.Notices.AUTO
                        && (application.equals("psql") || application.startsWith("ddlrep")));
        if (tell && !context.state().quiet()) {
            notices.accept(new Notice("ddlrep: " + context.summary() + " on " + context.nodeCount() + " nodes in "
                    + context.elapsedMillis() + " ms (writers waited " + context.writersWaitedMillis() + " ms)"));
        }
    }

    void warn(String what, Exception cause) {
        LOG.warn("{}", what, cause);
    }

    @Override
    public void close() {
        services.close();
        threads.shutdownNow();
        timer.shutdownNow();
    }
}
