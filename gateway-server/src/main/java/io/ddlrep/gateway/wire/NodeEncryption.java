package io.ddlrep.gateway.wire;

import io.ddlrep.engine.node.NodeAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.time.Duration;

/**
 * Asks a node for encryption before anything else is said, and removes itself when the connection is as it should be. On one
 * event loop.
 */
final class NodeEncryption extends ChannelInboundHandlerAdapter {
    private final NodeTls tls;
    private final NodeAddress address;
    private final Duration limit;
    private final Promise<Channel> ready;

    /**
     * For one connection.
     *
     * @param limit how long it may take
     * @param ready what is told of the outcome; the connection reads nothing by then
     */
    NodeEncryption(NodeTls tls, NodeAddress address, Duration limit, Promise<Channel> ready) {
        this.tls = tls;
        this.address = address;
        this.limit = limit;
        this.ready = ready;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        channel.config().setAutoRead(true);
        Channels.send(context, Unpooled.wrappedBuffer(NodeTls.request()));
        Channels.later(channel, limit, () -> failed(context, new IOException("no encryption within " + limit)));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            if (tls.encrypts(in.readByte(), in.isReadable())) {
                context.pipeline().addFirst(tls.handler(context.channel(), address.host(), address.port()));
            } else {
                done(context);
            }
        } catch (IOException e) {
            failed(context, e);
        } finally {
            in.release();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent shaken) {
            if (shaken.isSuccess()) {
                bind(context);
            } else {
                failed(context, shaken.cause());
            }
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            failed(context, new IOException("the server closed the connection"));
        }
    }

    private void bind(ChannelHandlerContext context) {
        SslHandler handler = context.pipeline().get(SslHandler.class);
        try {
            context.channel()
                    .attr(NodeTls.BINDING)
                    .set(NodeTls.binding(handler.engine().getSession()));
            done(context);
        } catch (IOException e) {
            failed(context, e);
        }
    }

    private void done(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(false);
        context.pipeline().remove(this);
        ready.trySuccess(context.channel());
    }

    private void failed(ChannelHandlerContext context, Throwable cause) {
        if (ready.tryFailure(cause)) {
            Channels.close(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        failed(context, new IOException("the server closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failed(context, cause);
    }
}
