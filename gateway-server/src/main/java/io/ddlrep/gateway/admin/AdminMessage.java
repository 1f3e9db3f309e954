package io.ddlrep.gateway.admin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads a client's message. Each method throws an unchecked exception where the message is too short. Used by one thread. */
final class AdminMessage {
    private final ByteBuffer in;

    AdminMessage(byte[] body) {
        this.in = ByteBuffer.wrap(body);
    }

    String text() {
        int start = in.position();
        while (in.get() != 0) {
            // To the zero byte.
        }
        return new String(in.array(), start, in.position() - start - 1, StandardCharsets.UTF_8);
    }

    char type() {
        return (char) in.get();
    }

    int number() {
        return in.getInt();
    }

    int count() {
        return Short.toUnsignedInt(in.getShort());
    }

    /** Format codes: none, one for all, or one for each. */
    boolean[] formats() {
        boolean[] binary = new boolean[count()];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = in.getShort() == 1;
        }
        return binary;
    }

    static boolean isBinary(boolean[] formats, int place) {
        return formats.length == 1 ? formats[0] : place < formats.length && formats[place];
    }

    /** A parameter's value. */
    @Nullable
    Object value(ColumnType type, boolean binary) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        if (length > in.remaining()) {
            throw new IllegalArgumentException("insufficient data left in message");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        try {
            return binary ? type.parse(bytes) : type.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (NumberFormatException e) {
            throw new AdminException("22P02", "invalid input syntax for a parameter of type " + type);
        }
    }
}
