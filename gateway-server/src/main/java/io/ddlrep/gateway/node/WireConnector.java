package io.ddlrep.gateway.node;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.gateway.cancel.CancelRequests;
import io.ddlrep.gateway.scram.ClientKey;
import io.ddlrep.gateway.scram.NodeLogin;
import io.ddlrep.gateway.scram.ScramException;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.NodeConnector;
import io.ddlrep.gateway.wire.NodeSocket;
import io.ddlrep.gateway.wire.NodeTls;
import io.ddlrep.gateway.wire.Transport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens sessions on nodes as a client of the gateway, by the key that its login left. Thread-safe; blocks, so that no event
 * loop may call it.
 */
public final class WireConnector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WireConnector.class);

    /** A node that does not answer is told apart from a slow one within DESIGN's five seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(10);
    private static final int PROTOCOL = 3 << 16;

    private final Transport transport;
    private final NodeTls tls;
    private final EventLoopGroup loops;
    private final Set<NodeSocket> open = ConcurrentHashMap.newKeySet();

    /** Makes it. */
    public WireConnector(Transport transport, NodeTls tls, EventLoopGroup loops) {
        this.transport = transport;
        this.tls = tls;
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
        NodeSocket socket;
        SocketLink link;
        try {
            socket = NodeSocket.connect(address, tls, LIMIT);
            open.add(socket);
            link = new SocketLink(address.name(), socket, () -> open.remove(socket));
        } catch (IOException e) {
            throw new NodeException(address.name(), ServerError.of("08001", String.valueOf(e.getMessage())), e);
        }
        try {
            link.send(Unpooled.wrappedBuffer(startup(address, user, applicationName)));
            byte[] cancelKey = new Login(address.name(), link, new NodeLogin(key, socket.binding())).run();
            CancelRequests cancels = new CancelRequests(new NodeConnector(address, transport, tls, LIMIT));
            EventLoop loop = loops.next();
            return new WireNodeSession(address.name(), link, () -> cancel(cancels, loop, cancelKey));
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    /** Ends all sessions that are open. */
    @Override
    public void close() {
        open.forEach(NodeSocket::close);
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
    private record Login(String node, SocketLink link, NodeLogin answers) {
        /** Logs in; returns what a request to cancel needs. */
        byte[] run() {
            byte[] cancelKey = new byte[0];
            while (true) {
                Frame frame = link.take(LIMIT);
                switch (frame.type()) {
                    case 'R' -> request(frame);
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

        private void request(Frame frame) {
            try {
                answers.answer(frame.body())
                        .ifPresent(data -> link.send(Frame.answer(data).encode(ByteBufAllocator.DEFAULT)));
            } catch (ScramException e) {
                throw new NodeException(
                        node,
                        ServerError.of(e.sqlState(), e.message())
                                .with(e.detail().isEmpty() ? null : e.detail(), null),
                        e);
            }
        }
    }
}
