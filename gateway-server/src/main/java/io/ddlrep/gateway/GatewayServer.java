package io.ddlrep.gateway;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.gateway.admin.AdminDatabase;
import io.ddlrep.gateway.cancel.CancelRequests;
import io.ddlrep.gateway.ddl.DdlGate;
import io.ddlrep.gateway.ddl.OriginEngine;
import io.ddlrep.gateway.http.GatewayMetrics;
import io.ddlrep.gateway.http.HttpEndpoint;
import io.ddlrep.gateway.node.WireConnector;
import io.ddlrep.gateway.session.Offloads;
import io.ddlrep.gateway.session.OpenSessions;
import io.ddlrep.gateway.session.SessionOpener;
import io.ddlrep.gateway.session.Traffic;
import io.ddlrep.gateway.startup.StartupHandler;
import io.ddlrep.gateway.startup.StartupRequests;
import io.ddlrep.gateway.startup.Tls;
import io.ddlrep.gateway.wire.NodeConnector;
import io.ddlrep.gateway.wire.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One PostgreSQL endpoint in front of a group's origin. Thread-safe. */
public final class GatewayServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int CLOSE_SECONDS = 5;

    private final EventLoopGroup loops;
    private final Channel listener;
    private final Optional<Offloads> offloads;
    private final OpenSessions sessions;
    private final Traffic traffic;
    private final AtomicReference<@Nullable Tls> tls;
    private final Optional<GatewayAdmin> admin;

    private GatewayServer(
            EventLoopGroup loops,
            Channel listener,
            Optional<Offloads> offloads,
            OpenSessions sessions,
            Traffic traffic,
            AtomicReference<@Nullable Tls> tls,
            Optional<GatewayAdmin> admin) {
        this.loops = loops;
        this.listener = listener;
        this.offloads = offloads;
        this.sessions = sessions;
        this.traffic = traffic;
        this.tls = tls;
        this.admin = admin;
    }

    /**
     * Starts one.
     *
     * @param engine what the group's engine is opened with; empty: the gateway only relays
     * @param hooks what the gateway's own database needs of the process
     * @throws UncheckedIOException when the address cannot be listened on
     */
    public static GatewayServer start(GatewayConfig config, Optional<EngineConfig> engine, AdminHooks hooks) {
        Transport transport = Transport.best();
        EventLoopGroup loops = transport.loops("ddlrep-gateway", config.threads());
        NodeConnector connector = new NodeConnector(
                config.origin(), transport, config.encryption().nodes(), config.connectTimeout());
        WireConnector wire = new WireConnector(transport, config.encryption().nodes(), loops);
        DdlGate gate = new DdlGate();
        Optional<Offloads> offloads =
                engine.map(each -> new Offloads(new OriginEngine(each, config.origin()), gate, wire, transport));
        OpenSessions sessions = new OpenSessions();
        Traffic traffic = new Traffic();
        // A real database of that name stays reachable.
        Optional<GatewayAdmin> admin = config.origin().database().equals(AdminDatabase.NAME)
                ? Optional.empty()
                : engine.map(each -> new GatewayAdmin(config, each, hooks, wire, sessions, traffic, gate));
        StartupRequests requests = new SessionOpener(
                connector,
                new CancelRequests(connector),
                config.auth(),
                config.loginTimeout(),
                offloads.orElse(null),
                sessions,
                traffic,
                admin.map(GatewayAdmin::database).orElse(null));
        AtomicReference<@Nullable Tls> tls =
                new AtomicReference<>(config.encryption().clients().orElse(null));
        ServerBootstrap bootstrap = transport
                .configure(new ServerBootstrap().group(loops), config.listen().shared())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel client) {
                        client.pipeline()
                                .addLast(new StartupHandler(
                                        requests, Optional.ofNullable(tls.get()), config.loginTimeout()));
                    }
                });
        try {
            return new GatewayServer(
                    loops,
                    bootstrap.bind(config.listen().address()).sync().channel(),
                    offloads,
                    sessions,
                    traffic,
                    tls,
                    admin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Future<?> unused = loops.shutdownGracefully();
            throw new IllegalStateException("interrupted while the gateway started", e);
        } catch (Exception e) {
            Future<?> unused = loops.shutdownGracefully();
            String message = "cannot listen on " + config.listen().address() + ": " + e.getMessage();
            throw new UncheckedIOException(message, new IOException(message, e));
        }
    }

    /** Without anybody who may use the gateway's own database. */
    public static GatewayServer start(GatewayConfig config, Optional<EngineConfig> engine) {
        return start(config, engine, AdminHooks.NONE);
    }

    /**
     * Answers monitoring by HTTP.
     *
     * @param address where; port 0 takes a free one
     * @return what the caller closes before this
     * @throws IllegalStateException where the gateway only relays, and has nothing to tell
     */
    public Monitoring monitor(InetSocketAddress address) {
        GatewayAdmin told = admin.orElseThrow(() -> new IllegalStateException("this gateway only relays"));
        GatewayMetrics metrics = new GatewayMetrics(sessions, traffic, told::isPaused, told::status);
        return new Monitoring(metrics, HttpEndpoint.start(address, metrics::scrape, told::problem));
    }

    /** Encrypts connections that come from now on with another certificate. */
    public void encryptWith(Tls other) {
        tls.set(other);
    }

    /** Its sessions. */
    public OpenSessions sessions() {
        return sessions;
    }

    /** What has passed through it. */
    public Traffic traffic() {
        return traffic;
    }

    /** Where clients connect. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /**
     * Takes no more clients, and ends each session as soon as it is outside a transaction and has been answered.
     *
     * @param limit how long to wait for the last one
     * @return whether all have ended
     */
    public boolean drain(Duration limit) throws InterruptedException {
        listener.close().sync();
        return sessions.drain(limit);
    }

    /** Ends all sessions at once. */
    @Override
    public void close() {
        Future<?> unused =
                loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        offloads.ifPresent(Offloads::close);
        admin.ifPresent(GatewayAdmin::close);
    }
}
