package io.ddlrep.gateway.wire;

import io.ddlrep.engine.node.NodeAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.time.Duration;

/** Opens connections to the origin. Thread-safe. */
public final class OriginConnector {
    private final NodeAddress address;
    private final Transport transport;
    private final Duration timeout;

    /**
     * Makes it.
     *
     * @param address the origin's
     * @param transport how sockets are served
     * @param timeout how long to wait for a connection
     */
    public OriginConnector(NodeAddress address, Transport transport, Duration timeout) {
        this.address = address;
        this.transport = transport;
        this.timeout = timeout;
    }

    /** The origin's address. */
    public NodeAddress address() {
        return address;
    }

    /** Opens a connection, which reads nothing until somebody switches that on. */
    public ChannelFuture connect(EventLoop loop) {
        return transport
                .configure(new Bootstrap().group(loop).channel(transport.socket()))
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        // Whoever asked for the connection adds its handler.
                    }
                })
                .connect(address.host(), address.port());
    }
}
