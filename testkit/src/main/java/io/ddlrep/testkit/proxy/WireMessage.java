package io.ddlrep.testkit.proxy;

import java.nio.charset.StandardCharsets;

/** One message of PostgreSQL's protocol as it passes the proxy. Immutable. */
public final class WireMessage {

    /** Type of what has none: start-up packets, the answer to an SSL request, and parts of very large messages. */
    public static final char UNTYPED = '\0';

    private final char type;
    private final byte[] bytes;

    WireMessage(char type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** The type byte as the manual names it ({@code Q}, {@code P}, {@code C}, …), or {@link #UNTYPED}. */
    public char type() {
        return type;
    }

    /** Length of the whole message with its type and length, in bytes. */
    public int length() {
        return bytes.length;
    }

    /** Whether the text occurs anywhere in the message, read as UTF-8. */
    public boolean contains(String text) {
        return text().contains(text);
    }

    /** The whole message read as UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return (type == UNTYPED ? "untyped" : String.valueOf(type)) + ", " + bytes.length + " bytes";
    }
}
