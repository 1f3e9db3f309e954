package io.ddlrep.gateway.wire;

import io.netty.bootstrap.AbstractBootstrap;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Map;

/**
 * How sockets are served: by epoll where it is there, else by NIO. Immutable.
 *
 * @param epoll whether by epoll
 */
public record Transport(boolean epoll) {
    private static final Duration VANISHED = Duration.ofSeconds(90);
    private static final Map<ChannelOption<Integer>, Integer> KEEPALIVE = Map.of(
            EpollChannelOption.TCP_KEEPIDLE,
            60,
            EpollChannelOption.TCP_KEEPINTVL,
            10,
            EpollChannelOption.TCP_KEEPCNT,
            3,
            EpollChannelOption.TCP_USER_TIMEOUT,
            Math.toIntExact(VANISHED.toMillis()));
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(64 * 1024, 256 * 1024);

    /** The best that this machine has. */
    public static Transport best() {
        return new Transport(Epoll.isAvailable());
    }

    /** Threads that serve sockets; the caller shuts them down. */
    public EventLoopGroup loops(String name, int threads) {
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), io());
    }

    /** What an event loop waits by. */
    public IoHandlerFactory io() {
        return epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    /** The class of connections. */
    public Class<? extends SocketChannel> socket() {
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** Sets what every connection to a node has. */
    Bootstrap configure(Bootstrap bootstrap) {
        common().forEach((option, value) -> set(bootstrap, option, value));
        if (epoll) {
            KEEPALIVE.forEach(bootstrap::option);
        }
        return bootstrap;
    }

    /**
     * Sets what the listening socket and every connection of a client have.
     *
     * @param shared whether other processes may listen on the same port
     */
    public ServerBootstrap configure(ServerBootstrap bootstrap, boolean shared) {
        bootstrap.channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
        if (shared) {
            bootstrap.option(
                    epoll ? UnixChannelOption.SO_REUSEPORT : NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT),
                    true);
        }
        common().forEach((option, value) -> setOnChildren(bootstrap, option, value));
        if (epoll) {
            KEEPALIVE.forEach(bootstrap::childOption);
        }
        return bootstrap;
    }

    private static Map<ChannelOption<?>, Object> common() {
        return Map.of(
                ChannelOption.ALLOCATOR,
                PooledByteBufAllocator.DEFAULT,
                ChannelOption.TCP_NODELAY,
                true,
                ChannelOption.SO_KEEPALIVE,
                true,
                ChannelOption.ALLOW_HALF_CLOSURE,
                true,
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                MARKS);
    }

    @SuppressWarnings("unchecked") // the map pairs each option with a value of its type
    private static <T> void set(AbstractBootstrap<?, ?> bootstrap, ChannelOption<T> option, Object value) {
        bootstrap.option(option, (T) value);
    }

    @SuppressWarnings("unchecked") // the map pairs each option with a value of its type
    private static <T> void setOnChildren(ServerBootstrap bootstrap, ChannelOption<T> option, Object value) {
        bootstrap.childOption(option, (T) value);
    }
}
