package io.ddlrep.gateway.node;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.gateway.wire.NodeTls;
import io.ddlrep.gateway.wire.Transport;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;

class WireSessionIT extends NodeSessionContract {
    private static final Transport TRANSPORT = Transport.best();
    private static final EventLoopGroup LOOPS = TRANSPORT.loops("test", 1);

    @AfterAll
    static void shutDown() {
        Future<?> unused = LOOPS.shutdownGracefully();
    }

    @Override
    NodeSession open(NodeAddress address, String user, String password) {
        return new WireConnector(TRANSPORT, NodeTls.NONE, LOOPS).open(address, user, null, "test");
    }
}
