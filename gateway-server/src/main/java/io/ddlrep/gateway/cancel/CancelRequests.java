package io.ddlrep.gateway.cancel;

import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.NodeConnector;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to cancel to the origin, which knows its own keys: so they work after a restart of the gateway, and through
 * any gateway of the group. Thread-safe.
 *
 * <p>A request that could not be delivered in time is dropped: later it might meet another statement. The asking connection
 * is closed when the origin has closed its side, since clients take that for the sign that the request has arrived.
 */
public final class CancelRequests {
    private static final Logger LOG = LoggerFactory.getLogger(CancelRequests.class);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int CANCEL_REQUEST = 80877102;

    private final NodeConnector connector;

    /** Makes it. */
    public CancelRequests(NodeConnector connector) {
        this.connector = connector;
    }

    /**
     * Forwards a client's request.
     *
     * @param client the connection that asks; closed in the end
     * @param packet the request; taken over
     */
    public void forward(Channel client, ByteBuf packet) {
        send(client.eventLoop(), packet, () -> Channels.close(client));
    }

    /**
     * Cancels what runs in a session.
     *
     * @param loop the session's event loop
     * @param key as the server gave it; nothing is sent where it is empty
     * @param done called when the server has the request, or never will have it
     */
    public void send(EventLoop loop, byte[] key, Runnable done) {
        if (key.length == 0) {
            done.run();
            return;
        }
        ByteBuf packet = Unpooled.buffer(2 * Integer.BYTES + key.length);
        packet.writeInt(packet.capacity()).writeInt(CANCEL_REQUEST).writeBytes(key);
        send(loop, packet, done);
    }

    private void send(EventLoop loop, ByteBuf packet, Runnable done) {
        Future<?> unused = connector.connect(loop).addListener((Future<Channel> connected) -> {
            if (!connected.isSuccess()) {
                LOG.warn("a request to cancel could not be sent to {}", connector.address(), connected.cause());
                packet.release();
                done.run();
                return;
            }
            Channel origin = connected.getNow();
            origin.pipeline().addLast(new UntilClosed(done));
            origin.config().setAutoRead(true);
            Channels.send(origin, packet);
            Channels.later(origin, LIMIT, () -> Channels.close(origin));
        });
    }

    /** Waits for the origin to close its side. */
    private static final class UntilClosed extends ChannelInboundHandlerAdapter {
        private final Runnable done;

        UntilClosed(Runnable done) {
            this.done = done;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            Channels.close(context);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            done.run();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Channels.close(context);
        }
    }
}
