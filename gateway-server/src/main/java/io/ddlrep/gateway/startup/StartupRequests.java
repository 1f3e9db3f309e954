package io.ddlrep.gateway.startup;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** What a connection turns out to want. Called on the connection's event loop. */
public interface StartupRequests {
    /**
     * A session begins. The connection reads nothing more until somebody switches that on.
     *
     * @param client the client's connection
     * @param packet the startup packet as it came, with its length; taken over
     * @param rest what came behind it, perhaps nothing; taken over
     */
    void session(Channel client, ByteBuf packet, ByteBuf rest);

    /**
     * A request to cancel. The connection is to be closed once that is done.
     *
     * @param client the connection that asks
     * @param packet the request as it came, with its length; taken over
     */
    void cancel(Channel client, ByteBuf packet);
}
