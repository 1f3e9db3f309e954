package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;

/**
 * What the origin's answers say of the session: whether it is logged in, whether it waits for the next command. Used on one
 * event loop.
 */
public final class BackendFrames extends FrameWalker {
    private static final byte READY_FOR_QUERY = 'Z';
    private static final byte BACKEND_KEY_DATA = 'K';

    private final Runnable ready;
    private byte[] cancelKey = new byte[0];

    /**
     * Makes it.
     *
     * @param ready called at each ReadyForQuery
     */
    public BackendFrames(Runnable ready) {
        this.ready = ready;
    }

    /** Goes on over the readable bytes of a buffer. */
    public void see(ByteBuf in) {
        walk(in);
    }

    /** Process id and secret as the origin gave them, 8 to 260 bytes; empty before. Not to be changed. */
    public byte[] cancelKey() {
        return cancelKey;
    }

    @Override
    int begins(byte frame, int size) {
        return switch (frame) {
            case READY_FOR_QUERY -> 1;
            case BACKEND_KEY_DATA -> size;
            default -> 0;
        };
    }

    @Override
    void body(byte frame, byte[] bytes) {
        if (frame == READY_FOR_QUERY) {
            ready.run();
        } else {
            cancelKey = bytes;
        }
    }
}
