package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;

/**
 * Walks what a client sends, and stops at a frame that must not be passed on yet. Reads headers alone, but for the bodies that
 * its judge wants to see. Never moves a buffer's indexes. Used on one event loop.
 */
public final class FrontendFrames {
    private static final int HEADER = 5;
    private static final int LENGTH = 4;

    private final Outstanding outstanding;
    private final Judge judge;
    private int bodyLeft;
    private boolean lost;
    private int passed;
    private int heldSize;
    private boolean terminated;

    /** Says what becomes of a frame. */
    public interface Judge {
        /** Whether a frame of this type must be there whole before anything is decided. */
        boolean wants(byte type);

        /** Whether a frame that it wants may pass unseen where it is too large to be kept. */
        boolean passesUnseen();

        /**
         * Decides.
         *
         * @param body the judge's own
         */
        Verdict judge(byte type, byte[] body);
    }

    /** What becomes of a frame, or why a walk ended. */
    public enum Verdict {
        /** It goes to the origin as it is. */
        PASS,
        /** It waits. */
        HOLD,
        /** Nobody gets it. */
        DROP,
        /** The rest of it has not come yet. */
        INCOMPLETE,
        /** It is larger than anything that is kept. */
        TOO_LARGE
    }

    /**
     * Makes it.
     *
     * @param outstanding is told of what is asked
     * @param judge decides
     */
    public FrontendFrames(Outstanding outstanding, Judge judge) {
        this.outstanding = outstanding;
        this.judge = judge;
    }

    /** Whether the client said that it leaves. */
    public boolean isTerminated() {
        return terminated;
    }

    /** Readable bytes of the last buffer that may be passed on. */
    public int passed() {
        return passed;
    }

    /** Bytes of the frame at which the last walk stopped, where that was to be held or dropped. */
    public int heldSize() {
        return heldSize;
    }

    /**
     * Goes on over the readable bytes of a buffer, up to the first frame that is not to be passed on; what was not passed must
     * come again in the next buffer, at its beginning.
     *
     * @param largest bytes of a frame that is kept
     * @return PASS where all may be passed on, else why not
     */
    public Verdict walk(ByteBuf in, int largest) {
        int start = in.readerIndex();
        int end = in.writerIndex();
        int at = Math.min(end, start + bodyLeft);
        bodyLeft -= at - start;
        Verdict verdict = Verdict.PASS;
        while (at < end && verdict == Verdict.PASS) {
            if (lost) {
                at = end;
            } else if (end - at < HEADER) {
                verdict = Verdict.INCOMPLETE;
            } else {
                verdict = frame(in, at, end, largest);
                if (verdict == Verdict.PASS) {
                    int size = lost ? end - at : 1 + in.getInt(at + 1);
                    int here = Math.min(size, end - at);
                    bodyLeft = size - here;
                    at += here;
                }
            }
        }
        passed = at - start;
        return verdict;
    }

    private Verdict frame(ByteBuf in, int at, int end, int largest) {
        byte type = in.getByte(at);
        int length = in.getInt(at + 1);
        if (length < LENGTH || length == Integer.MAX_VALUE) {
            // The origin says so, and ends the session.
            lost = true;
            return Verdict.PASS;
        }
        boolean wanted = judge.wants(type);
        if (wanted && length >= largest) {
            if (!judge.passesUnseen()) {
                return Verdict.TOO_LARGE;
            }
            wanted = false;
        }
        if (wanted) {
            if (end - at <= length) {
                return Verdict.INCOMPLETE;
            }
            byte[] body = new byte[length - LENGTH];
            in.getBytes(at + HEADER, body);
            Verdict verdict = judge.judge(type, body);
            heldSize = 1 + length;
            if (verdict != Verdict.PASS) {
                return verdict;
            }
        }
        if (type == 'X') {
            terminated = true;
            // Nobody reads what comes behind it: no statement there is run.
            lost = true;
        }
        outstanding.sent(type, length - LENGTH);
        return Verdict.PASS;
    }
}
