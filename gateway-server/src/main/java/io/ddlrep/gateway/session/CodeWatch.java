package io.ddlrep.gateway.session;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.gateway.ddl.ClientText;
import io.ddlrep.gateway.ddl.CodeRun;
import io.ddlrep.gateway.wire.BackendFrames;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.Outstanding;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the statements of a client whose code has met the origin's guard by DDL, and that can be run once more, as operations:
 *
 * <pre>
 *   IDLE      nothing is kept
 *   WATCHING  what the client has sent since its session was idle is kept until it is answered
 *   HOLDING   an error has come: what the origin says from there on is kept until it is known which one
 *   MET       the guard's: it is not told to the client, whose statement is run again when the origin is ready
 * </pre>
 *
 * The client sees one run alone: what the first one had answered before its error is not answered again. Used on one event
 * loop.
 */
final class CodeWatch {
    private static final int HEADER = 5;

    /** Bytes of a statement, with its parameters, that is kept. */
    private static final int LARGEST = 1 << 20;

    private static final ByteBuf NOTHING = Unpooled.EMPTY_BUFFER;

    private final Channel client;
    private final BackendFrames origin;
    private final Outstanding outstanding;
    private final Supplier<ClientText.Reading> reading;
    /** What the client has sent; null where nothing is watched. */
    private @Nullable ByteBuf turn;
    /** What the client was not told; null where it was told everything. */
    private @Nullable ByteBuf back;

    private @Nullable CodeRun met;
    private boolean held;

    CodeWatch(Channel client, BackendFrames origin, Outstanding outstanding, Supplier<ClientText.Reading> reading) {
        this.client = client;
        this.origin = origin;
        this.outstanding = outstanding;
        this.reading = reading;
    }

    /**
     * What the client sent goes to the origin.
     *
     * @param bytes not taken over
     * @param idle whether the session was, before
     */
    void sent(ByteBuf bytes, int size, boolean idle) {
        if (idle) {
            release();
            origin.forgetTypes();
        }
        ByteBuf before = turn;
        if (size == 0 || (!idle && before == null)) {
            return;
        }
        if (size + (before == null ? 0 : before.readableBytes()) > LARGEST) {
            release();
            return;
        }
        ByteBuf more = bytes.retainedSlice(bytes.readerIndex(), size);
        if (before == null) {
            turn = more;
        } else if (before instanceof CompositeByteBuf many) {
            many.addFlattenedComponents(true, more);
        } else {
            turn = client.alloc()
                    .compositeBuffer()
                    .addFlattenedComponents(true, before)
                    .addFlattenedComponents(true, more);
        }
    }

    /**
     * What the origin said, and what was seen of it, comes.
     *
     * @param in taken over
     * @return what the client is told now
     */
    ByteBuf answered(ByteBuf in) {
        if (held) {
            back = joined(back, in);
            return NOTHING;
        }
        if (turn == null && back == null) {
            return in;
        }
        if (back == null && origin.errorAt() < 0) {
            if (outstanding.isQuiet() && origin.isBetweenFrames()) {
                release();
            }
            return in;
        }
        ByteBuf now = NOTHING;
        if (back == null) {
            int error = origin.errorAt();
            now = in.readRetainedSlice(error - in.readerIndex());
        }
        back = joined(back, in);
        if (!origin.sqlState().isEmpty()) {
            met = origin.sqlState().equals(ClientSession.MET_BY_CODE) ? found() : null;
            held = met != null;
            if (!held) {
                return joined(now, tellAll());
            }
        }
        return now;
    }

    private ByteBuf joined(@Nullable ByteBuf first, ByteBuf second) {
        if (first == null) {
            return second;
        }
        return client.alloc()
                .compositeBuffer()
                .addFlattenedComponents(true, first)
                .addFlattenedComponents(true, second);
    }

    /** The session goes on without a second run: everything that the client was not told. */
    ByteBuf tellAll() {
        ByteBuf all = back == null ? NOTHING : back;
        back = null;
        release();
        return all;
    }

    /**
     * The statement that is to be run once more when the origin is ready; asked for once.
     *
     * @return null where there is none
     */
    @Nullable
    CodeRun take() {
        CodeRun taken = met;
        met = null;
        return taken;
    }

    /** What the origin said behind the error, but for the error and that it is ready. */
    ByteBuf tellRest() {
        ByteBuf all = tellAll();
        ByteBuf rest = client.alloc().buffer(all.readableBytes());
        while (all.readableBytes() >= HEADER) {
            byte type = all.getByte(all.readerIndex());
            int size = 1 + all.getInt(all.readerIndex() + 1);
            if (type == 'E' || type == 'Z') {
                all.skipBytes(size);
            } else {
                rest.writeBytes(all, size);
            }
        }
        all.release();
        return rest;
    }

    /** Forgets everything. */
    void release() {
        if (turn != null) {
            turn.release();
            turn = null;
        }
        if (back != null) {
            back.release();
            back = null;
        }
        met = null;
        held = false;
    }

    /** What is to be run again; null where it has been answered in part, or is not alone. */
    private @Nullable CodeRun found() {
        ByteBuf sent = turn;
        if (sent == null) {
            return null;
        }
        for (char answer : new char[] {'D', 'C', 'G', 'H', 'W'}) {
            if (origin.hasRead(answer)) {
                return null;
            }
        }
        List<Frame> frames = frames(sent);
        if (frames.size() == 1 && frames.get(0).type() == 'Q') {
            return CodeRun.ofQuery(frames.get(0), origin.hasRead('T'), reading.get())
                    .orElse(null);
        }
        // A portal that was not bound has met the guard before it was run.
        Optional<CodeRun> run = origin.hasRead('2') ? CodeRun.ofPipeline(frames, reading.get()) : Optional.empty();
        return run.orElse(null);
    }

    /** The messages; none where the last one is not there whole. */
    private static List<Frame> frames(ByteBuf bytes) {
        ByteBuf in = bytes.slice();
        List<Frame> frames = new ArrayList<>();
        while (in.isReadable()) {
            if (in.readableBytes() < HEADER) {
                return List.of();
            }
            byte type = in.readByte();
            int length = in.readInt() - Integer.BYTES;
            if (length < 0 || length > in.readableBytes()) {
                return List.of();
            }
            byte[] body = new byte[length];
            in.readBytes(body);
            frames.add(new Frame(type, body));
        }
        return frames;
    }
}
