package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Cuts what arrives into whole frames, for the few messages of a login. It is removed before the session begins, and hands on
 * what it has not read by then. Used on one event loop.
 */
public final class FrameReader extends ByteToMessageDecoder {
    private static final int HEADER = 5;

    private final int longest;

    /**
     * Makes one.
     *
     * @param longest bytes of a body that are read; a longer one ends the connection
     */
    public FrameReader(int longest) {
        this.longest = longest;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < HEADER) {
            return;
        }
        int length = in.getInt(in.readerIndex() + 1) - Integer.BYTES;
        if (length < 0 || length > longest) {
            throw new CorruptedFrameException("a message of " + length + " bytes in a login");
        }
        if (in.readableBytes() >= HEADER + length) {
            byte type = in.readByte();
            in.skipBytes(Integer.BYTES);
            byte[] body = new byte[length];
            in.readBytes(body);
            out.add(new Frame(type, body));
        }
    }
}
