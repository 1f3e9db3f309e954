package io.ddlrep.gateway.session;

import io.ddlrep.gateway.wire.Channels;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One leg of a session: hands what it reads to the other leg, which flushes when this one has read all there was. Where the
 * other leg's peer does not keep up, this one stops reading. Used on the event loop of both.
 */
abstract class Relay extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final Channel other;

    Relay(Channel other) {
        this.other = other;
    }

    /** Takes over what came, and writes to the other leg what is for it. */
    abstract void saw(ByteBuf in);

    /** Whether the other leg may read. */
    abstract boolean otherMayRead();

    /** This leg's peer sends nothing more. */
    abstract void ended();

    /** This leg is closed. */
    abstract void closed();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        saw((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        other.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        boolean unused = Channels.read(other, context.channel().isWritable() && otherMayRead());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            ended();
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A peer that resets its connection, or that is gone while something is written to it.
        LOG.debug("{}", context.channel(), cause);
        Channels.close(context);
    }
}
