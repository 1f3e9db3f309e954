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
    private static final byte ERROR = 'E';

    /** In these the severity, twice, and the SQLSTATE have room. */
    private static final int ERROR_BEGIN = 64;

    private static final String UNKNOWN = "?";

    private final Outstanding outstanding;
    private final Map<String, String> settings = new HashMap<>();
    private byte[] cancelKey = new byte[0];
    private byte status = 'I';
    private long ready;
    private long types;
    private int errorAt;
    private String sqlState = "";

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
        errorAt = -1;
        walk(in);
        if (errorAt < 0 && !isBetweenFrames() && type() == ERROR) {
            errorAt = frameAt();
        }
    }

    /** From now on the types that were read are counted anew. */
    public void forgetTypes() {
        types = 0;
    }

    /** Whether a frame of this type, a letter or a digit, was read since they were forgotten. */
    public boolean hasRead(char type) {
        return (types & bit((byte) type)) != 0;
    }

    private static long bit(byte type) {
        return 1L << (type & 0x3f);
    }

    /** Where in the buffer that was seen last the first error began; negative where none did. */
    public int errorAt() {
        return errorAt;
    }

    /** The SQLSTATE of the last error, or a question mark where it has none; empty while too little of it was read. */
    public String sqlState() {
        return sqlState;
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
        types |= bit(frame);
        return switch (frame) {
            case READY_FOR_QUERY -> 1;
            case ERROR -> {
                errorAt = errorAt < 0 ? frameAt() : errorAt;
                sqlState = size == 0 ? UNKNOWN : "";
                yield ERROR_BEGIN;
            }
            case BACKEND_KEY_DATA, PARAMETER_STATUS -> size;
            default -> 0;
        };
    }

    @Override
    void body(byte frame, byte[] bytes) {
        switch (frame) {
            case READY_FOR_QUERY -> status(bytes[0]);
            case BACKEND_KEY_DATA -> cancelKey = bytes;
            case ERROR -> {
                String said = ErrorMessage.sqlState(bytes);
                sqlState = said.isEmpty() ? UNKNOWN : said;
            }
            default -> setting(bytes);
        }
    }
}
