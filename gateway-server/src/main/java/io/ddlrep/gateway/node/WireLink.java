package io.ddlrep.gateway.node;

import io.ddlrep.gateway.wire.Frame;
import io.netty.buffer.ByteBuf;

/**
 * A connection as a thread sees it that may wait: frames go out, frames come in. Used by one thread at a time, but for
 * {@link #close} and {@link #isClosed}, which any thread may call.
 */
public interface WireLink {
    /** A buffer for what {@link #send} sends. */
    ByteBuf buffer();

    /**
     * Sends; waits where the server does not keep up.
     *
     * @param frames taken over
     * @throws io.ddlrep.engine.node.NodeException 08006 where the connection has ended
     */
    void send(ByteBuf frames);

    /**
     * The next frame; waits for it as long as the connection lives.
     *
     * @throws io.ddlrep.engine.node.NodeException 08006 where the connection ends
     */
    Frame take();

    /** Whether the next frame has yet to come. */
    boolean isEmpty();

    /** Whether the connection is known to have ended. */
    boolean isClosed();

    /**
     * Sends, and closes when that is done.
     *
     * @param last taken over
     */
    void sendAndClose(ByteBuf last);

    /** Ends the connection: whoever waits for a frame is told. */
    void close();
}
