package io.ddlrep.gateway.session;

import io.ddlrep.gateway.ddl.ClientDdl;
import io.ddlrep.gateway.ddl.ClientText;
import io.ddlrep.gateway.ddl.CodeRun;
import io.ddlrep.gateway.ddl.Inspector;
import io.ddlrep.gateway.node.ChannelLink;
import io.ddlrep.gateway.node.ToClient;
import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.FrameReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session's way from its event loop to a thread that may wait, and back:
 *
 * <pre>
 *   RELAYING   messages pass
 *   WAITING    one of the client's is held until the origin has answered all that was sent before it
 *   WORKING    a thread runs it, and reads what the origin says; the client is not read, but for data that it copies in
 * </pre>
 *
 * Used on the event loop, but for what {@link ToClient} asks, which the thread calls.
 */
final class Offload implements ToClient {
    private static final Logger LOG = LoggerFactory.getLogger(Offload.class);
    private static final int HEADER = 5;
    private static final int BATCH = 32 << 10;

    private enum State {
        RELAYING,
        WAITING,
        WORKING
    }

    private final Offloads offloads;
    private final GatewaySession session;
    private @Nullable ClientDdl ddl;
    private @Nullable Inspector inspector;
    private State state = State.RELAYING;
    private boolean copying;
    private @Nullable Runnable leave;
    /** What is held has run before, as it came. */
    private @Nullable CodeRun again;
    /** The thread's own. */
    private ByteBuf out = Unpooled.EMPTY_BUFFER;

    Offload(Offloads offloads, GatewaySession session) {
        this.offloads = offloads;
        this.session = session;
    }

    void join(ClientDdl clientDdl, Inspector clientInspector) {
        ddl = clientDdl;
        inspector = clientInspector;
    }

    ClientDdl ddl() {
        return Objects.requireNonNull(ddl);
    }

    Inspector inspector() {
        return Objects.requireNonNull(inspector);
    }

    boolean isHeld() {
        return state != State.RELAYING;
    }

    boolean isWorking() {
        return state == State.WORKING;
    }

    /** Holds what the client sent; the session keeps it. */
    void hold() {
        state = State.WAITING;
        if (session.outstanding().isUnflushed()) {
            // What was sent before is answered only by then.
            Channels.send(
                    session.origin(),
                    new Frame((byte) 'H', new byte[0]).encode(session.origin().alloc()));
        }
        originSaid();
    }

    /** Holds what the client sent and the origin has refused; the session keeps it once more. */
    void holdAgain(CodeRun code) {
        state = State.WAITING;
        again = code;
    }

    /** Whether it depends on the client's next message how the one that is held is run. */
    boolean awaitsClient() {
        return state == State.WAITING && leave == null && isLast(session.kept());
    }

    /** Whether the client is read. */
    boolean takesMore() {
        return state == State.RELAYING || copying || awaitsClient();
    }

    /** An Execute with nothing behind it: without a Flush or a Sync the server would not answer either. */
    private static boolean isLast(ByteBuf kept) {
        int at = kept.readerIndex();
        return kept.getByte(at) == 'E' && kept.readableBytes() == 1 + kept.getInt(at + 1);
    }

    /** The client has said something while a message of its is held. */
    void clientSaid() {
        if (state == State.WORKING) {
            copiesIn(session.kept());
        } else {
            boolean unused = Channels.read(session.client(), false);
            originSaid();
        }
    }

    /** The origin has said something: perhaps it has answered everything. */
    void originSaid() {
        if (state == State.WAITING && leave == null && session.outstanding().isCopying()) {
            // What stands in the middle of copied data is no statement: that is the origin's to say.
            state = State.RELAYING;
            session.passHeld();
            return;
        }
        if (state != State.WAITING
                || !session.outstanding().isQuiet()
                || !session.answered().isBetweenFrames()) {
            return;
        }
        if (leave != null) {
            leaving();
        } else if (!awaitsClient()) {
            work(session.kept());
        }
    }

    /** The origin's connection is gone. */
    void originClosed() {
        if (state == State.WAITING) {
            state = State.RELAYING;
            if (leave != null) {
                gone();
            }
        }
    }

    private void work(ByteBuf kept) {
        byte type = kept.getByte(kept.readerIndex());
        if (session.outstanding().isSkipping() && type != 'S' && type != 'X') {
            // Something before it in the pipeline has failed: the server would skip it.
            inspector().skip();
            over();
            return;
        }
        byte status = inspector().status();
        CodeRun code = again;
        if (code != null) {
            again = null;
            runAgain(kept, code, status);
            return;
        }
        switch (type) {
            case 'Q' -> {
                Frame query = take(kept);
                ClientText text = inspector().held();
                lend(status, false, lending -> ddl().query(lending, query, text), this::queried);
            }
            case 'E' -> {
                Frame execute = take(kept);
                Frame bind = inspector().heldBind();
                boolean first =
                        !session.outstanding().hasExecuted() && !inspector().hasRun();
                // What runs in no transaction block has ended before anything behind it runs.
                boolean alone = first && (bind != null || beginsWithSync(kept));
                lend(
                        status,
                        true,
                        lending -> ddl().execute(
                                        lending,
                                        execute,
                                        inspector().held().statements().get(0),
                                        alone,
                                        bind),
                        this::executed);
            }
            case 'S' -> {
                boolean commit =
                        !inspector().isDropping() && !session.outstanding().isSkipping();
                lend(
                        status,
                        true,
                        lending -> ddl().sync(lending, commit),
                        outcome -> inspector().ended());
            }
            default ->
                lend(
                        status,
                        false,
                        lending -> {
                            ddl().abandon(lending);
                            return ClientDdl.Outcome.DONE;
                        },
                        outcome -> session.answered().status((byte) 'I'));
        }
    }

    private void runAgain(ByteBuf kept, CodeRun code, byte status) {
        session.tellRest();
        boolean pipelined = take(kept).type() == 'E';
        lend(status, pipelined, lending -> ddl().code(lending, code), outcome -> {
            if (pipelined) {
                executed(outcome);
            } else {
                queried(outcome);
            }
        });
    }

    private void executed(ClientDdl.Outcome outcome) {
        inspector().executed(ddl().status(), ddl().isImplicit(), outcome == ClientDdl.Outcome.FAILED);
    }

    private void queried(ClientDdl.Outcome outcome) {
        if (outcome != ClientDdl.Outcome.LOST) {
            inspector().ended();
            session.answered().status(ddl().status());
        }
    }

    private static Frame take(ByteBuf kept) {
        byte type = kept.readByte();
        byte[] body = new byte[kept.readInt() - Integer.BYTES];
        kept.readBytes(body);
        return new Frame(type, body);
    }

    private static boolean beginsWithSync(ByteBuf kept) {
        return kept.readableBytes() >= HEADER && kept.getByte(kept.readerIndex()) == 'S';
    }

    /** Runs on a thread of its own. */
    @FunctionalInterface
    private interface Work {
        ClientDdl.Outcome run(ClientDdl.Lending lending);
    }

    /** Runs on the event loop when the work is done. */
    @FunctionalInterface
    private interface Done {
        void accept(ClientDdl.Outcome outcome);
    }

    private void lend(byte status, boolean pipelined, Work work, Done done) {
        state = State.WORKING;
        Channel origin = session.origin();
        ChannelLink link = new ChannelLink("origin", origin, new FrameReader(Integer.MAX_VALUE), session::originTakes);
        link.add(session.originContext().name());
        offloads.begins(session.answered().cancelKey(), this);
        ClientDdl.Lending lending = new ClientDdl.Lending(
                link, status, pipelined, session.outstanding().isSkipping());
        ChannelFuture unused =
                origin.deregister().addListener(left -> offloads.run(() -> lent(link, lending, work, done)));
    }

    /** On the thread. */
    private void lent(ChannelLink link, ClientDdl.Lending lending, Work work, Done done) {
        long begin = System.nanoTime();
        ClientDdl.Outcome outcome = ClientDdl.Outcome.LOST;
        try {
            link.borrow(LoopThread.loop());
            outcome = work.run(lending);
            flush();
        } catch (RuntimeException | Error e) {
            LOG.error("a client's DDL failed in an unexpected way", e);
        } finally {
            giveBack(link);
            session.traffic().worked(System.nanoTime() - begin);
            ClientDdl.Outcome ended = outcome;
            session.loop().execute(() -> {
                offloads.ends(session.answered().cancelKey(), this);
                link.remove();
                takeBack(ended, done);
            });
        }
    }

    private static void giveBack(ChannelLink link) {
        try {
            link.giveBack();
        } catch (RuntimeException | Error e) {
            LOG.error("a client's session cannot be given back", e);
            link.close();
        }
    }

    private void takeBack(ClientDdl.Outcome outcome, Done done) {
        copying = false;
        if (leave != null) {
            state = State.RELAYING;
            left();
        } else if (outcome == ClientDdl.Outcome.LOST) {
            state = State.RELAYING;
            session.end();
        } else {
            done.accept(outcome);
            over();
        }
    }

    private void over() {
        state = State.RELAYING;
        session.goOn();
    }

    /** Hands the client's data on while it copies in; {@code kept} is what the client sent. */
    void copiesIn(ByteBuf kept) {
        while (copying && kept.readableBytes() >= HEADER) {
            byte type = kept.getByte(kept.readerIndex());
            int size = 1 + kept.getInt(kept.readerIndex() + 1);
            if (size < HEADER || (type != 'd' && type != 'c' && type != 'f' && type != 'H' && type != 'S')) {
                copying = false;
            } else if (kept.readableBytes() < size) {
                break;
            } else {
                copying = type != 'c' && type != 'f';
                Channels.write(session.origin(), kept.readRetainedSlice(size));
            }
        }
        session.origin().flush();
        if (!copying) {
            boolean unused = Channels.read(session.client(), false);
        }
    }

    /** The client is gone: what is done for it is cancelled, on every node. */
    void cancel() {
        offloads.run(() -> ddl().cancel());
    }

    /** The gateway ends: what is done meets a lost connection. May be called by any thread. */
    void lose() {
        Channels.close(session.origin());
    }

    /**
     * The client is gone, and nothing is done for it: an open operation is rolled back.
     *
     * @param then what to do then
     */
    void abandon(Runnable then) {
        leave = then;
        if (ddl().isOperationOpen() && !Channels.isOver(session.origin())) {
            state = State.WAITING;
            originSaid();
        } else {
            gone();
        }
    }

    private void gone() {
        state = State.RELAYING;
        offloads.run(() -> ddl().abandon(null));
        left();
    }

    private void leaving() {
        lend(
                inspector().status(),
                false,
                lending -> {
                    ddl().abandon(lending);
                    return ClientDdl.Outcome.LOST;
                },
                outcome -> {});
    }

    private void left() {
        Runnable then = leave;
        leave = null;
        if (then != null) {
            then.run();
        }
    }

    @Override
    public void tell(Frame frame) {
        if (frame.type() == 'S') {
            session.loop().execute(() -> session.answered().setting(frame.body()));
        }
        if (!out.isReadable()) {
            out = session.client().alloc().buffer();
        }
        frame.encode(out);
        if (out.readableBytes() > BATCH) {
            flush();
        }
    }

    @Override
    public void flush() {
        if (!out.isReadable()) {
            return;
        }
        ByteBuf full = out;
        out = Unpooled.EMPTY_BUFFER;
        if (session.client().isWritable()) {
            Channels.send(session.client(), full);
        } else {
            ChannelFuture unused = session.client().writeAndFlush(full).awaitUninterruptibly();
        }
    }

    @Override
    public void copiesIn(boolean on) {
        Future<?> told = session.loop().submit(() -> {
            copying = on;
            if (on) {
                boolean unused = Channels.read(session.client(), true);
            }
            copiesIn(session.kept());
        });
        // Nothing of the client's may reach a channel that the thread has given back.
        told.awaitUninterruptibly();
    }
}
