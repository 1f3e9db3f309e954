package io.ddlrep.gateway.node;

import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection as a blocking thread sees it: frames go out, frames come in. The event loop fills the queue, and stops reading
 * where the thread does not keep up. Stands behind a {@link io.ddlrep.gateway.wire.FrameReader}; one thread at a time takes
 * from it, and never one of an event loop.
 */
public final class WireLink extends SimpleChannelInboundHandler<Frame> {
    /** Stands in the queue for the end of the connection. */
    private static final Frame END = new Frame((byte) 0, new byte[0]);

    private static final Duration FOR_EVER = Duration.ofDays(1000);
    private static final long HIGH = 4 << 20;
    private static final long LOW = 1 << 20;

    private final String node;
    private final Channel channel;
    private final BlockingQueue<Frame> queue = new LinkedBlockingQueue<>();
    private final AtomicLong queued = new AtomicLong();

    /** For one connection; the caller adds it to the channel's pipeline. */
    public WireLink(String node, Channel channel) {
        this.node = node;
        this.channel = channel;
    }

    /** Sends; waits where the server does not keep up. */
    void send(ByteBuf frames) {
        refuseOnLoop();
        if (channel.isWritable()) {
            Channels.send(channel, frames);
        } else {
            ChannelFuture unused = channel.writeAndFlush(frames).awaitUninterruptibly();
        }
    }

    /** The next frame; waits for it as long as the connection lives. */
    Frame take() {
        return take(FOR_EVER);
    }

    /**
     * The next frame.
     *
     * @throws io.ddlrep.engine.node.NodeException 08006 where none comes in time, or the connection ends
     */
    Frame take(Duration limit) {
        refuseOnLoop();
        Frame frame;
        try {
            frame = queue.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw WireErrors.lost(node, "interrupted while waiting for the server");
        }
        if (frame == null) {
            close();
            throw WireErrors.lost(node, "the server did not answer in " + limit.toMillis() + " ms");
        }
        if (frame == END) {
            queue.add(END);
            throw WireErrors.lost(node, "the server closed the connection");
        }
        long left = queued.addAndGet(-frame.body().length);
        if (left < LOW && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
        return frame;
    }

    /** Whether the next frame has yet to come. */
    boolean isEmpty() {
        return queue.isEmpty();
    }

    private void refuseOnLoop() {
        if (channel.eventLoop().inEventLoop()) {
            throw new IllegalStateException("an event loop must not wait for a server");
        }
    }

    boolean isClosed() {
        return !channel.isActive();
    }

    Channel channel() {
        return channel;
    }

    /** Ends the connection: whoever waits for a frame is told. */
    public void close() {
        Channels.close(channel);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        // Of an end before this one was there nobody tells it again.
        if (Channels.isOver(context.channel())) {
            queue.add(END);
            Channels.close(context);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        queue.add(frame);
        if (queued.addAndGet(frame.body().length) > HIGH) {
            channel.config().setAutoRead(false);
            if (queued.get() < LOW) {
                // The thread took it all before it could see that reading was off.
                channel.config().setAutoRead(true);
            }
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        // The server sends nothing more.
        Channels.close(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        queue.add(END);
    }

    /** What nobody has taken goes to the next handler. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        for (Frame left = queue.poll(); left != null && context.channel().isActive(); left = queue.poll()) {
            if (left != END) {
                context.fireChannelRead(left.encode(context.alloc()));
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Channels.close(context);
    }
}
