package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;

/** One message of a login, whole. Owned by whoever reads it; does not print its body, which may hold secrets. */
public final class Frame {
    private final byte type;
    private final byte[] body;

    /**
     * Makes one.
     *
     * @param type its type
     * @param body taken over
     */
    public Frame(byte type, byte[] body) {
        this.type = type;
        this.body = body;
    }

    /** An authentication request. */
    public static Frame authentication(int code, byte[] data) {
        return new Frame(
                (byte) 'R',
                ByteBuffer.allocate(Integer.BYTES + data.length)
                        .putInt(code)
                        .put(data)
                        .array());
    }

    /** A client's answer to one. */
    public static Frame answer(byte[] data) {
        return new Frame((byte) 'p', data);
    }

    /** Its type. */
    public char type() {
        return (char) type;
    }

    /** Its body; not to be changed. */
    public byte[] body() {
        return body;
    }

    /** As it is sent. */
    public ByteBuf encode(ByteBufAllocator allocator) {
        ByteBuf out = allocator.buffer(1 + Integer.BYTES + body.length);
        encode(out);
        return out;
    }

    /** As it is sent, behind what is there. */
    public void encode(ByteBuf out) {
        out.writeByte(type).writeInt(Integer.BYTES + body.length).writeBytes(body);
    }

    @Override
    public String toString() {
        return "Frame[" + type() + ", " + body.length + " bytes]";
    }
}
