package io.ddlrep.gateway.node;

import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A channel that its event loop lends to a thread. The thread serves the channel itself while it has it, by an event loop of
 * its own that runs when it waits: so nobody has to be woken between the thread and the server.
 *
 * <pre>
 *   home event loop    {@link #add}, deregisters the channel
 *   thread             {@link #borrow}, the methods of {@link WireLink}, {@link #giveBack}
 *   home event loop    {@link #remove}
 * </pre>
 */
public final class ChannelLink extends SimpleChannelInboundHandler<Frame> implements WireLink {
    private final String node;
    private final Channel channel;
    private final EventLoop home;
    private final ChannelHandler reader;
    private final Runnable writability;
    private final Queue<Frame> queue = new ArrayDeque<>();
    private boolean ended;
    private @Nullable ManualIoEventLoop own;

    /**
     * For one loan.
     *
     * @param node the node's name, for errors
     * @param reader makes frames of what is read
     * @param writability called on the home event loop when the channel takes more, or no more
     */
    public ChannelLink(String node, Channel channel, ChannelHandler reader, Runnable writability) {
        this.node = node;
        this.channel = channel;
        this.home = channel.eventLoop();
        this.reader = reader;
        this.writability = writability;
    }

    /** Adds itself before the handler of that name; on the home event loop. */
    public void add(String before) {
        channel.pipeline().addBefore(before, null, reader).addBefore(before, null, this);
    }

    /**
     * Takes the channel, which no event loop serves by now.
     *
     * @param loop the calling thread's own
     */
    public void borrow(ManualIoEventLoop loop) {
        own = loop;
        EventLoop next = loop;
        if (!next.register(channel).isSuccess()) {
            ended = true;
        }
    }

    /** Gives the channel back, if it was borrowed: from now on no event loop serves it. */
    public void giveBack() {
        ManualIoEventLoop loop = own;
        if (loop == null) {
            return;
        }
        // Behind all that others have told it to do.
        ChannelFuture left = channel.deregister();
        while (!left.isDone()) {
            loop.run(0);
        }
        own = null;
    }

    /** The home event loop serves the channel again: what the thread has not taken goes to the next handler. */
    public void remove() {
        // One that is closed has let go of its handlers.
        if (channel.isOpen() && home.register(channel).isSuccess()) {
            // In this order: what the reader holds goes the way of all frames.
            channel.pipeline().remove(this);
            channel.pipeline().remove(reader);
        }
    }

    private ManualIoEventLoop own() {
        ManualIoEventLoop loop = own;
        if (loop == null) {
            throw new IllegalStateException("the channel is not on loan");
        }
        return loop;
    }

    @Override
    public ByteBuf buffer() {
        return channel.alloc().buffer();
    }

    @Override
    public void send(ByteBuf frames) {
        ManualIoEventLoop loop = own();
        Channels.send(channel, frames);
        while (!channel.isWritable() && channel.isActive()) {
            await(loop);
        }
    }

    @Override
    public Frame take() {
        ManualIoEventLoop loop = own();
        while (true) {
            Frame frame = queue.poll();
            if (frame != null) {
                return frame;
            }
            if (ended) {
                throw WireErrors.lost(node, "the server closed the connection");
            }
            await(loop);
        }
    }

    private void await(ManualIoEventLoop loop) {
        if (Thread.currentThread().isInterrupted()) {
            close();
            throw WireErrors.lost(node, "interrupted while waiting for the server");
        }
        loop.run(0);
    }

    @Override
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    @Override
    public boolean isClosed() {
        return !channel.isActive();
    }

    @Override
    public void sendAndClose(ByteBuf last) {
        Channels.sendAndClose(channel, last);
    }

    @Override
    public void close() {
        Channels.close(channel);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        // Of an end before this one was there nobody tells it again.
        if (Channels.isOver(context.channel())) {
            ended = true;
            Channels.close(context);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        queue.add(frame);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        // What is behind this one has read nothing, and belongs to the home event loop.
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        home.execute(writability);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        // The server sends nothing more.
        Channels.close(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        for (Frame left = queue.poll(); left != null && context.channel().isActive(); left = queue.poll()) {
            context.fireChannelRead(left.encode(context.alloc()));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Channels.close(context);
    }
}
