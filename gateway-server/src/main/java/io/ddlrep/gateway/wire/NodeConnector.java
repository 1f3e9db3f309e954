package io.ddlrep.gateway.wire;

import io.ddlrep.engine.node.NodeAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;

/** Opens connections to a node, encrypted as is asked for. Thread-safe. */
public final class NodeConnector {
    private final NodeAddress address;
    private final Transport transport;
    private final NodeTls tls;
    private final Duration timeout;

    /**
     * Makes it.
     *
     * @param address the node's
     * @param transport how sockets are served
     * @param tls how connections are encrypted
     * @param timeout how long to wait for a connection, and then for its encryption
     */
    public NodeConnector(NodeAddress address, Transport transport, NodeTls tls, Duration timeout) {
        this.address = address;
        this.transport = transport;
        this.tls = tls;
        this.timeout = timeout;
    }

    /** The node's address. */
    public NodeAddress address() {
        return address;
    }

    /** Opens a connection, which reads nothing until somebody switches that on. */
    public Future<Channel> connect(EventLoop loop) {
        Promise<Channel> ready = loop.newPromise();
        ChannelFuture unused = transport
                .configure(new Bootstrap().group(loop).channel(transport.socket()))
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        // Else, whoever asked for the connection adds its handler.
                        if (tls.isAsked()) {
                            channel.pipeline().addLast(new NodeEncryption(tls, address, timeout, ready));
                        }
                    }
                })
                .connect(address.host(), address.port())
                .addListener((ChannelFuture connected) -> {
                    if (!connected.isSuccess()) {
                        ready.tryFailure(connected.cause());
                    } else if (!tls.isAsked()) {
                        ready.trySuccess(connected.channel());
                    }
                });
        return ready;
    }
}
