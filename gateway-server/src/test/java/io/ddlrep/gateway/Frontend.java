package io.ddlrep.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Messages as a client sends them, byte by byte. Stateless. */
public final class Frontend {
    private static final int PROTOCOL = 3 << 16;

    private Frontend() {}

    /**
     * A StartupMessage of protocol 3.0.
     *
     * @param parameters names and values by turns
     */
    public static byte[] startup(String... parameters) {
        byte[] words = (String.join("\0", parameters) + "\0\0").getBytes(StandardCharsets.UTF_8);
        int length = 2 * Integer.BYTES + words.length;
        return ByteBuffer.allocate(length)
                .putInt(length)
                .putInt(PROTOCOL)
                .put(words)
                .array();
    }

    /** A message that says its true length; the text's characters are bytes. */
    public static byte[] message(char type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        return message(type, Integer.BYTES + bytes.length, bytes);
    }

    /** A message that says any length. */
    public static byte[] message(char type, int length, byte[] body) {
        return ByteBuffer.allocate(1 + Integer.BYTES + body.length)
                .put((byte) type)
                .putInt(length)
                .put(body)
                .array();
    }
}
