package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Walks the frames of one direction over whatever buffers arrive: a byte for the type, four for the length that counts
 * itself, the body. Reads headers alone, but for the bodies that a subclass wants to see. Never moves a buffer's indexes.
 *
 * <p>Used on one event loop.
 */
abstract class FrameWalker {
    private static final int HEADER = 5;
    private static final int LENGTH = 4;

    private byte type;
    private int length;
    private int headerSeen;
    private int bodyLeft;
    private byte @Nullable [] wanted;
    private int collected;
    private int frameAt;
    private boolean lost;

    /**
     * A frame begins.
     *
     * @param frame its type
     * @param size bytes in its body
     * @return how many of the body's first bytes {@link #body} is to see; 0 for none
     */
    abstract int begins(byte frame, int size);

    /**
     * The bytes of a body that were asked for, as many as there are.
     *
     * @param frame the frame's type
     * @param bytes not kept by the caller
     */
    abstract void body(byte frame, byte[] bytes);

    /** Whether a length made no sense: what follows cannot be read any more. */
    final boolean isLost() {
        return lost;
    }

    /** Whether the walk stands between two frames. */
    public final boolean isBetweenFrames() {
        return headerSeen == 0 && bodyLeft == 0;
    }

    /** The type of the frame that the walk stands in, or has ended with. */
    final byte type() {
        return type;
    }

    /** Where in the buffer at hand that frame begins; negative where it began in one before. */
    final int frameAt() {
        return frameAt;
    }

    /** Goes on over the readable bytes of a buffer. */
    final void walk(ByteBuf in) {
        frameAt = -1;
        int at = in.readerIndex();
        int end = in.writerIndex();
        while (at < end && !lost) {
            if (bodyLeft > 0) {
                at += skip(in, at, end);
            } else if (headerSeen == 0 && end - at >= HEADER) {
                type = in.getByte(at);
                frameAt = at;
                length = in.getInt(at + 1);
                at += HEADER;
                begin();
            } else {
                if (headerSeen == 0) {
                    frameAt = at;
                }
                header(in.getByte(at++));
            }
        }
    }

    private void header(byte next) {
        if (headerSeen == 0) {
            type = next;
            length = 0;
        } else {
            length = (length << 8) | (next & 0xff);
        }
        headerSeen++;
        if (headerSeen == HEADER) {
            headerSeen = 0;
            begin();
        }
    }

    private void begin() {
        if (length < LENGTH) {
            lost = true;
            return;
        }
        bodyLeft = length - LENGTH;
        int wants = Math.min(begins(type, bodyLeft), bodyLeft);
        if (wants > 0) {
            wanted = new byte[wants];
            collected = 0;
        }
    }

    private int skip(ByteBuf in, int at, int end) {
        int here = Math.min(bodyLeft, end - at);
        byte[] bytes = wanted;
        if (bytes != null) {
            int take = Math.min(here, bytes.length - collected);
            in.getBytes(at, bytes, collected, take);
            collected += take;
            if (collected == bytes.length) {
                wanted = null;
                body(type, bytes);
            }
        }
        bodyLeft -= here;
        return here;
    }
}
