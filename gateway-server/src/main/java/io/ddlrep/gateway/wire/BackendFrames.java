package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What the origin's answers say of the session: its settings, the state of its transaction, what is still to be answered. Used
 * on one event loop.
 */
public final class BackendFrames extends FrameWalker {
    private static final byte READY_FOR_QUERY = 'Z';
    private static final byte BACKEND_KEY_DATA = 'K';
    private static final byte PARAMETER_STATUS = 'S';

    private final Outstanding outstanding;
    private final Map<String, String> settings = new HashMap<>();
    private byte[] cancelKey = new byte[0];
    private byte status = 'I';
    private long ready;

    /**
     * Makes it.
     *
     * @param outstanding is told of what is answered
     */
    public BackendFrames(Outstanding outstanding) {
        this.outstanding = outstanding;
    }

    /** Goes on over the readable bytes of a buffer. */
    public void see(ByteBuf in) {
        walk(in);
    }

    /** Process id and secret as the origin gave them, 8 to 260 bytes; empty before. Not to be changed. */
    public byte[] cancelKey() {
        return cancelKey;
    }

    /** What ReadyForQuery said last: {@code I}, {@code T} or {@code E}. */
    public byte status() {
        return status;
    }

    /** A ReadyForQuery was read by somebody else. */
    public void status(byte said) {
        status = said;
        ready++;
    }

    /** How many were read since this was asked last. */
    public long takeReady() {
        long read = ready;
        ready = 0;
        return read;
    }

    /** A setting that the server reports, or an empty text. */
    public String setting(String name) {
        return settings.getOrDefault(name, "");
    }

    /** A ParameterStatus, as it may also be read by somebody else. */
    public void setting(byte[] body) {
        String[] words = new String(body, StandardCharsets.UTF_8).split("\0", -1);
        if (words.length > 1) {
            settings.put(words[0], words[1]);
        }
    }

    @Override
    int begins(byte frame, int size) {
        outstanding.received(frame);
        return switch (frame) {
            case READY_FOR_QUERY -> 1;
            case BACKEND_KEY_DATA, PARAMETER_STATUS -> size;
            default -> 0;
        };
    }

    @Override
    void body(byte frame, byte[] bytes) {
        switch (frame) {
            case READY_FOR_QUERY -> status(bytes[0]);
            case BACKEND_KEY_DATA -> cancelKey = bytes;
            default -> setting(bytes);
        }
    }
}
