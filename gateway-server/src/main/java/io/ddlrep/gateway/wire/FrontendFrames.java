package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;

/** What a client's messages say of the session. Used on one event loop. */
public final class FrontendFrames extends FrameWalker {
    private static final byte TERMINATE = 'X';

    private boolean terminated;

    /** Goes on over the readable bytes of a buffer. */
    public void see(ByteBuf in) {
        walk(in);
    }

    /** Whether the client said that it leaves. */
    public boolean isTerminated() {
        return terminated;
    }

    @Override
    int begins(byte frame, int size) {
        terminated = frame == TERMINATE;
        return 0;
    }

    @Override
    void body(byte frame, byte[] bytes) {
        throw new IllegalStateException("no body was asked for");
    }
}
