package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What is done to a channel without waiting for the outcome: a write that fails comes back as an exception in the channel's
 * own pipeline, which closes it. Stateless; on the channel's event loop or another thread.
 */
public final class Channels {
    private Channels() {}

    /** Writes without flushing. */
    public static void write(ChannelOutboundInvoker to, ByteBuf bytes) {
        Future<?> unused = to.write(bytes, to.voidPromise());
    }

    /** Writes and flushes. */
    public static void send(ChannelOutboundInvoker to, ByteBuf bytes) {
        Future<?> unused = to.writeAndFlush(bytes, to.voidPromise());
    }

    /** Writes, flushes, and closes when that is done. */
    public static void sendAndClose(ChannelOutboundInvoker to, ByteBuf bytes) {
        Future<?> unused = to.writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
    }

    /** Runs a task when all that was written so far is flushed. */
    public static void whenFlushed(Channel channel, Runnable task) {
        Future<?> unused = channel.writeAndFlush(channel.alloc().buffer(0)).addListener(done -> task.run());
    }

    /** Sends what is still to be written, then closes. */
    public static void finish(Channel channel) {
        if (channel.isActive()) {
            whenFlushed(channel, () -> close(channel));
        }
    }

    /**
     * Lets a channel read, or not. One whose peer sends nothing more is left alone: epoll has let go of it.
     *
     * @return whether its peer may still send
     */
    public static boolean read(Channel channel, boolean on) {
        if (((DuplexChannel) channel).isInputShutdown()) {
            return false;
        }
        channel.config().setAutoRead(on);
        return true;
    }

    /** Whether nothing more can come over a channel: it is closed, or its peer sends nothing more. */
    public static boolean isOver(Channel channel) {
        return !channel.isActive() || ((DuplexChannel) channel).isInputShutdown();
    }

    /** Closes at once. */
    public static void close(ChannelOutboundInvoker channel) {
        Future<?> unused = channel.close();
    }

    /** Runs a task on the channel's event loop after a while, unless the channel is closed before. */
    public static void later(Channel channel, Duration delay, Runnable task) {
        later(channel.eventLoop(), channel, delay, task);
    }

    /** Runs a task on an event loop after a while, unless the channel is closed before. */
    public static void later(EventLoop loop, Channel channel, Duration delay, Runnable task) {
        Future<?> scheduled = loop.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        Future<?> unused = channel.closeFuture().addListener(closed -> scheduled.cancel(false));
    }

    /** Runs a task when the channel is closed. */
    public static void whenClosed(Channel channel, Runnable task) {
        Future<?> unused = channel.closeFuture().addListener(closed -> task.run());
    }
}
