package io.ddlrep.gateway.node;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.gateway.cancel.CancelRequests;
import io.ddlrep.gateway.scram.ClientExchange;
import io.ddlrep.gateway.scram.ClientKey;
import io.ddlrep.gateway.scram.ScramException;
import io.ddlrep.gateway.scram.ServerExchange;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.FrameReader;
import io.ddlrep.gateway.wire.OriginConnector;
import io.ddlrep.gateway.wire.Transport;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens sessions on nodes as a client of the gateway, by the key that its login left. Thread-safe; blocks, so that no event
 * loop may call it.
 */
public final class WireConnector {
    private static final Logger LOG = LoggerFactory.getLogger(WireConnector.class);

    /** A node that does not answer is told apart from a slow one within DESIGN's five seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(10);
    private static final int PROTOCOL = 3 << 16;
    private static final int OK = 0;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final Transport transport;
    private final EventLoopGroup loops;

    /** Makes it. */
    public WireConnector(Transport transport, EventLoopGroup loops) {
        this.transport = transport;
        this.loops = loops;
    }

    /**
     * Opens a session.
     *
     * @param address the node
     * @param user who logs in
     * @param key the user's; null where the node asks for none
     * @param applicationName shown in {@code pg_stat_activity}
     * @throws NodeException class 08 when the node cannot be reached, 28 when it refuses the login
     */
    public NodeSession open(NodeAddress address, String user, @Nullable ClientKey key, String applicationName) {
        EventLoop loop = loops.next();
        OriginConnector connector = new OriginConnector(address, transport, LIMIT);
        ChannelFuture connected = connector.connect(loop).awaitUninterruptibly();
        if (!connected.isSuccess()) {
            throw new NodeException(
                    address.name(),
                    ServerError.of("08001", String.valueOf(connected.cause().getMessage())),
                    connected.cause());
        }
        Channel channel = connected.channel();
        WireLink link = new WireLink(address.name(), channel);
        channel.pipeline().addLast(new FrameReader(Integer.MAX_VALUE), link);
        channel.config().setAutoRead(true);
        try {
            link.send(Unpooled.wrappedBuffer(startup(address, user, applicationName)));
            byte[] cancelKey = new Login(address.name(), link, key).run();
            CancelRequests cancels = new CancelRequests(connector);
            return new WireNodeSession(address.name(), link, () -> cancel(cancels, loop, cancelKey));
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    /** Waits until the server has the request, since one that came later might meet another statement. */
    private static void cancel(CancelRequests cancels, EventLoop loop, byte[] key) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        cancels.send(loop, key, () -> sent.complete(null));
        if (loop.inEventLoop()) {
            return;
        }
        try {
            sent.get(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("a request to cancel", e);
        }
    }

    private static byte[] startup(NodeAddress address, String user, String applicationName) {
        String words = String.join(
                        "\0",
                        "user",
                        user,
                        "database",
                        address.database(),
                        "application_name",
                        applicationName,
                        "client_encoding",
                        "UTF8",
                        "DateStyle",
                        "ISO")
                + "\0\0";
        byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Integer.BYTES + bytes.length)
                .putInt(2 * Integer.BYTES + bytes.length)
                .putInt(PROTOCOL)
                .put(bytes)
                .array();
    }

    /** One login, on the calling thread. */
    private record Login(
            String node, WireLink link, @Nullable ClientKey key) {
        /** Logs in; returns what a request to cancel needs. */
        byte[] run() {
            ClientExchange exchange = key == null ? null : new ClientExchange(key);
            byte[] cancelKey = new byte[0];
            while (true) {
                Frame frame = link.take(LIMIT);
                switch (frame.type()) {
                    case 'R' -> request(frame, exchange);
                    case 'K' -> cancelKey = frame.body();
                    case 'E' -> throw new NodeException(node, WireErrors.errorOf(frame.body()), null);
                    case 'Z' -> {
                        return cancelKey;
                    }
                    default -> {
                        // Parameters and notices.
                    }
                }
            }
        }

        private void request(Frame frame, @Nullable ClientExchange exchange) {
            ByteBuffer body = ByteBuffer.wrap(frame.body());
            int code = body.getInt();
            byte[] data = new byte[body.remaining()];
            body.get(data);
            if (code == OK) {
                return;
            }
            if (exchange == null || code < SASL || code > SASL_FINAL) {
                throw refused(
                        "28000", "the node asks for a login that the gateway has nothing for (request " + code + ")");
            }
            try {
                switch (code) {
                    case SASL -> {
                        List<String> offered =
                                Arrays.asList(new String(data, StandardCharsets.US_ASCII).split("\0", -1));
                        if (!offered.contains(ServerExchange.MECHANISM)) {
                            throw refused("28000", "the node does not take SCRAM-SHA-256");
                        }
                        answer(exchange.initialResponse());
                    }
                    case SASL_CONTINUE -> answer(exchange.last(data).getBytes(StandardCharsets.UTF_8));
                    default -> exchange.verify(data);
                }
            } catch (ScramException e) {
                throw new NodeException(
                        node,
                        ServerError.of(e.sqlState(), e.message())
                                .with(e.detail().isEmpty() ? null : e.detail(), null),
                        e);
            }
        }

        private void answer(byte[] data) {
            link.send(Frame.answer(data).encode(link.channel().alloc()));
        }

        private NodeException refused(String sqlState, String message) {
            return new NodeException(node, ServerError.of(sqlState, message), null);
        }
    }
}
