package io.ddlrep.gateway.session;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.cancel.CancelRequests;
import io.ddlrep.gateway.scram.ServerExchange;
import io.ddlrep.gateway.startup.ClientAuth;
import io.ddlrep.gateway.startup.ClientLogin;
import io.ddlrep.gateway.startup.OriginLogin;
import io.ddlrep.gateway.startup.StartupPacket;
import io.ddlrep.gateway.startup.StartupRequests;
import io.ddlrep.gateway.startup.Tls;
import io.ddlrep.gateway.startup.VirtualDatabase;
import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.FrameReader;
import io.ddlrep.gateway.wire.NodeConnector;
import io.ddlrep.gateway.wire.NodeTls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects each client with the origin. Thread-safe: what it keeps is immutable. */
public final class SessionOpener implements StartupRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SessionOpener.class);

    private static final int LONGEST_SASL_MESSAGE = 1024;
    private static final int LONGEST_LOGIN_MESSAGE = 1 << 20;
    private static final int SPOKEN = 3;
    private static final int SASL_FINAL = 12;

    private final NodeConnector connector;
    private final CancelRequests cancels;
    private final ClientAuth auth;
    private final Duration loginTimeout;
    private final @Nullable Offloads offloads;
    private final OpenSessions sessions;
    private final Traffic traffic;
    private final @Nullable VirtualDatabase virtual;

    /**
     * Makes it.
     *
     * @param connector opens connections to the origin
     * @param cancels sends requests to cancel
     * @param auth how the gateway learns who a client is
     * @param loginTimeout how long a login here may take
     * @param offloads runs DDL; null where it goes to the origin alone
     * @param sessions is told of each session
     * @param traffic counts
     * @param virtual the gateway's own database; null where there is none
     */
    public SessionOpener(
            NodeConnector connector,
            CancelRequests cancels,
            ClientAuth auth,
            Duration loginTimeout,
            @Nullable Offloads offloads,
            OpenSessions sessions,
            Traffic traffic,
            @Nullable VirtualDatabase virtual) {
        this.connector = connector;
        this.cancels = cancels;
        this.auth = auth;
        this.loginTimeout = loginTimeout;
        this.offloads = offloads;
        this.sessions = sessions;
        this.traffic = traffic;
        this.virtual = virtual;
    }

    private void begin(GatewaySession session, Channel origin, Optional<StartupPacket> startup) {
        session.begin();
        traffic.session();
        sessions.add(session, startup);
        Channels.whenClosed(origin, () -> sessions.remove(session));
    }

    /**
     * Empty where DDL is the origin's alone. A replication connection speaks its own commands; without a user's name nobody
     * could be a companion; and the other databases of the origin's server are not the group's.
     */
    private @Nullable Offloads offloads(Optional<StartupPacket> startup) {
        boolean plain = startup.isPresent()
                && !startup.get().user().isEmpty()
                && startup.get().database().equals(connector.address().database())
                && !startup.get().parameters().containsKey("replication");
        return plain ? offloads : null;
    }

    @Override
    public void session(Channel client, ByteBuf packet, ByteBuf rest) {
        Optional<StartupPacket> startup = StartupPacket.read(packet);
        // Which versions and layouts are wrong is the origin's to say, which then asks for no password.
        Optional<StartupPacket> named = startup.filter(
                each -> each.version() >> 16 == SPOKEN && !each.user().isEmpty());
        Optional<ErrorMessage> unknown = auth instanceof ClientAuth.Certificate
                ? named.flatMap(each -> unknown(client, each.user()))
                : Optional.empty();
        VirtualDatabase own = virtual;
        if (unknown.isPresent()) {
            packet.release();
            rest.release();
            Channels.sendAndClose(client, unknown.get().frame(client.alloc()));
        } else if (own != null && named.isPresent() && own.isAskedFor(named.get())) {
            packet.release();
            logInHere(own, client, named.get(), rest);
        } else if (auth instanceof ClientAuth.Scram scram && named.isPresent()) {
            byte[] copy = ByteBufUtil.getBytes(packet);
            packet.release();
            ask(
                    scram,
                    client,
                    named.get(),
                    rest,
                    accepted -> connect(
                            client, List.of(), origin -> logInOnOrigin(client, origin, named.get(), copy, accepted)));
        } else {
            relay(client, startup, packet, rest);
        }
    }

    /** Why a client may not be who it says, by its certificate; in the words of the server. */
    private static Optional<ErrorMessage> unknown(Channel client, String user) {
        Optional<String> name = Tls.nameOf(client);
        if (name.isEmpty()) {
            return Optional.of(
                    ErrorMessage.fatal("28000", "connection requires a valid client certificate", null, null));
        }
        if (client.attr(Tls.OF).get().admits(name.get(), user)) {
            return Optional.empty();
        }
        LOG.warn("{}: the certificate of \"{}\" may not log in as \"{}\"", client.remoteAddress(), name.get(), user);
        return Optional.of(
                ErrorMessage.fatal("28000", "certificate authentication failed for user \"" + user + "\"", null, null));
    }

    /** Nobody but the gateway asks; where it asks nobody, who says that he is an admin is one. */
    private void logInHere(VirtualDatabase own, Channel client, StartupPacket startup, ByteBuf rest) {
        if (!(auth instanceof ClientAuth.Scram scram)) {
            own.open(client, startup.user(), null, () -> Channels.send(client, loggedIn(client)));
            ChannelHandlerContext reader = client.pipeline().context(FrameReader.class);
            if (reader == null) {
                rest.release();
            } else {
                feed(reader, rest);
            }
            return;
        }
        ask(scram, client, startup, rest, accepted -> {
            own.open(client, startup.user(), accepted.key(), () -> {
                Channels.write(
                        client,
                        Frame.authentication(SASL_FINAL, accepted.answer().getBytes(StandardCharsets.UTF_8))
                                .encode(client.alloc()));
                Channels.send(client, loggedIn(client));
            });
            // The first reader is the login's; what it still holds goes to the next one.
            client.pipeline().remove(ClientLogin.class);
            client.pipeline().remove(FrameReader.class);
        });
    }

    /** Not from the pipeline's head: it is decrypted already. */
    private static void feed(ChannelHandlerContext reader, ByteBuf rest) {
        try {
            ((FrameReader) reader.handler()).channelRead(reader, rest);
        } catch (Exception e) {
            LOG.debug("{}", reader.channel(), e);
            Channels.close(reader);
        }
    }

    private static ByteBuf loggedIn(Channel client) {
        return Frame.authentication(0, new byte[0]).encode(client.alloc());
    }

    private void relay(Channel client, Optional<StartupPacket> startup, ByteBuf packet, ByteBuf rest) {
        connect(client, List.of(packet, rest), origin -> {
            String user = startup.map(StartupPacket::user).orElse("");
            GatewaySession session =
                    new GatewaySession(client, origin, cancels, traffic, offloads(startup), user, null);
            begin(session, origin, startup);
            Channels.write(origin, packet);
            session.readFirst(rest);
            session.read();
        });
    }

    private void ask(
            ClientAuth.Scram scram,
            Channel client,
            StartupPacket startup,
            ByteBuf rest,
            Consumer<ServerExchange.Accepted> whenAccepted) {
        FrameReader reader = new FrameReader(LONGEST_SASL_MESSAGE);
        ClientLogin login = new ClientLogin(
                startup.user(),
                scram.verifiers(),
                Optional.ofNullable(client.attr(Tls.OF).get()).map(Tls::certificateHash),
                loginTimeout,
                whenAccepted);
        client.pipeline().addLast(reader, login);
        // Not from the pipeline's head: it is decrypted already.
        ChannelHandlerContext behindTls = client.pipeline().context(reader);
        try {
            reader.channelRead(behindTls, rest);
        } catch (Exception e) {
            login.exceptionCaught(behindTls, e);
        }
    }

    private void logInOnOrigin(
            Channel client, Channel origin, StartupPacket startup, byte[] packet, ServerExchange.Accepted accepted) {
        origin.pipeline().addLast(new FrameReader(LONGEST_LOGIN_MESSAGE));
        origin.pipeline()
                .addLast(new OriginLogin(
                        client,
                        accepted,
                        Optional.ofNullable(origin.attr(NodeTls.BINDING).get()),
                        () -> {
                            GatewaySession session = new GatewaySession(
                                    client,
                                    origin,
                                    cancels,
                                    traffic,
                                    offloads(Optional.of(startup)),
                                    startup.user(),
                                    accepted.key());
                            begin(session, origin, Optional.of(startup));
                            // What the readers still hold goes to the legs.
                            client.pipeline().remove(ClientLogin.class);
                            client.pipeline().remove(FrameReader.class);
                            origin.pipeline().remove(OriginLogin.class);
                            origin.pipeline().remove(FrameReader.class);
                            session.read();
                        }));
        Channels.whenClosed(client, () -> {
            // Later it is the session's to end what it has begun.
            if (origin.pipeline().get(OriginLogin.class) != null) {
                Channels.close(origin);
            }
        });
        origin.config().setAutoRead(true);
        Channels.send(origin, Unpooled.wrappedBuffer(packet));
    }

    /** Connects with the origin; where that fails, the buffers are released and the client is told. */
    private void connect(Channel client, List<ByteBuf> held, Consumer<Channel> then) {
        Future<?> unused = connector.connect(client.eventLoop()).addListener((Future<Channel> done) -> {
            if (!done.isSuccess()) {
                held.forEach(ByteBuf::release);
                refuse(client, done.cause());
            } else if (!client.isActive()) {
                held.forEach(ByteBuf::release);
                Channels.close(done.getNow());
            } else {
                then.accept(done.getNow());
            }
        });
    }

    @Override
    public void cancel(Channel client, ByteBuf packet) {
        // Length and code, then what the origin gave.
        byte[] key = ByteBufUtil.getBytes(packet, packet.readerIndex() + 8, packet.readableBytes() - 8);
        VirtualDatabase own = virtual;
        if (own != null && own.cancel(key)) {
            packet.release();
            Channels.close(client);
        } else if (offloads != null && offloads.cancel(key, () -> Channels.close(client))) {
            packet.release();
        } else {
            cancels.forward(client, packet);
        }
    }

    private void refuse(Channel client, Throwable cause) {
        NodeAddress origin = connector.address();
        LOG.warn("origin {} cannot be reached: {}", origin, cause.toString());
        ErrorMessage message = ErrorMessage.fatal(
                "08006",
                "ddlrep: the origin, " + origin.name() + ", cannot be reached",
                String.valueOf(cause.getMessage()),
                "Try again when it is back.");
        Channels.sendAndClose(client, message.frame(client.alloc()));
    }
}
