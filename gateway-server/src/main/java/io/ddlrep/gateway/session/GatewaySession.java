package io.ddlrep.gateway.session;

import io.ddlrep.gateway.cancel.CancelRequests;
import io.ddlrep.gateway.ddl.ClientText;
import io.ddlrep.gateway.ddl.CodeRun;
import io.ddlrep.gateway.scram.ClientKey;
import io.ddlrep.gateway.wire.BackendFrames;
import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.ddlrep.gateway.wire.FrontendFrames;
import io.ddlrep.gateway.wire.Outstanding;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client's session: its connection, and the one to the origin that is its alone for as long as it lives. Both are served
 * by one event loop, so there is neither a lock nor a hand-over between them, except while a message of the client's is held
 * and a thread of its own works for it ({@link Offload}).
 */
final class GatewaySession {
    /** How long a client that sends nothing more, or the origin without its client, is waited for. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Bytes of a message that is looked into; what PostgreSQL itself takes is sixteen times as long. */
    private static final int LARGEST = 64 << 20;

    private final Channel client;
    private final Channel origin;
    private final CancelRequests cancels;
    private final Traffic traffic;
    private final @Nullable ClientKey key;
    private final Outstanding outstanding = new Outstanding();
    private final BackendFrames answered = new BackendFrames(outstanding);
    private final CodeWatch code;
    private final FrontendFrames sent;
    private final ClientLeg clientLeg;
    private final OriginLeg originLeg;
    private @Nullable Offload offload;
    /** What the client sent and the origin has not got: a part of a message, or what stands behind one that is held. */
    private ByteBuf kept = Unpooled.EMPTY_BUFFER;

    private boolean draining;

    /**
     * Makes one; {@link #begin} begins it.
     *
     * @param cancels cancels what runs on the origin
     * @param traffic counts
     * @param offloads runs DDL, where the gateway does that
     * @param key the client's, wiped at the end; null where the origin asked the client itself
     */
    GatewaySession(
            Channel client,
            Channel origin,
            CancelRequests cancels,
            Traffic traffic,
            @Nullable Offloads offloads,
            String user,
            @Nullable ClientKey key) {
        this.client = client;
        this.origin = origin;
        this.cancels = cancels;
        this.traffic = traffic;
        this.key = key;
        this.code = new CodeWatch(client, answered, outstanding, this::reading);
        this.clientLeg = new ClientLeg();
        this.originLeg = new OriginLeg();
        if (offloads == null) {
            this.sent = new FrontendFrames(outstanding, PassAll.INSTANCE);
        } else {
            Offload working = offloads.of(this, user, key);
            this.offload = working;
            this.sent = new FrontendFrames(outstanding, working.inspector());
        }
    }

    /** Joins the two legs: from now on what one reads the other writes. */
    void begin() {
        client.pipeline().addLast(clientLeg);
        origin.pipeline().addLast(originLeg);
    }

    /** Takes what the client had sent by then, which is decrypted already; taken over. */
    void readFirst(ByteBuf rest) {
        ChannelHandlerContext context = client.pipeline().context(clientLeg);
        clientLeg.channelRead(context, rest);
        clientLeg.channelReadComplete(context);
    }

    /** The gateway ends: so does the session, once it is outside a transaction and answered. May be called by any thread. */
    void drain() {
        loop().execute(() -> {
            draining = true;
            endIfIdle();
        });
    }

    private void endIfIdle() {
        if (draining && !isHeld() && !kept.isReadable() && isIdle()) {
            draining = false;
            boolean unused = Channels.read(client, false);
            terminate("The gateway ends.");
        }
    }

    private void terminate(String why) {
        ErrorMessage message =
                ErrorMessage.fatal("57P01", "terminating connection due to administrator command", why, null);
        Channels.sendAndClose(client, message.frame(client.alloc()));
    }

    private boolean isIdle() {
        return outstanding.isQuiet()
                // What stands before its Sync is an implicit transaction, answered or not.
                && outstanding.position() == 0
                && answered.status() == 'I'
                && answered.isBetweenFrames();
    }

    /**
     * What the session does.
     *
     * @param state as SessionView has it
     * @param operating whether a thread works for it
     * @param pid of the backend on the origin
     */
    record State(String state, boolean operating, int pid) {}

    /** What it does now; on its event loop. */
    State state() {
        Offload working = offload;
        boolean operating = working != null && working.isWorking();
        String state = switch (answered.status()) {
            case 'T' -> "idle in transaction";
            case 'E' -> "idle in transaction (aborted)";
            default -> "idle";
        };
        byte[] cancelKey = answered.cancelKey();
        return new State(
                isHeld() || !outstanding.isQuiet() ? "active" : state,
                operating,
                cancelKey.length < Integer.BYTES
                        ? 0
                        : ByteBuffer.wrap(cancelKey).getInt());
    }

    /** Ends it, whatever it does. May be called by any thread. */
    void kill() {
        loop().execute(() -> terminate("An admin of the gateway has ended it."));
    }

    /** While the origin's channel is on loan: it takes more, or no more. */
    void originTakes() {
        boolean unused = Channels.read(client, origin.isWritable() && originLeg.otherMayRead());
    }

    /** Lets both legs read. A side that ended before there was anybody to tell is told of now. */
    void read() {
        if (!isHeld() && !Channels.read(client, true)) {
            clientLeg.ended();
        }
        if (!Channels.read(origin, true)) {
            originLeg.ended();
        }
    }

    Channel client() {
        return client;
    }

    /** Where the session is served; the origin's channel may be on loan to a thread. */
    EventLoop loop() {
        return client.eventLoop();
    }

    Traffic traffic() {
        return traffic;
    }

    Channel origin() {
        return origin;
    }

    BackendFrames answered() {
        return answered;
    }

    Outstanding outstanding() {
        return outstanding;
    }

    ChannelHandlerContext originContext() {
        return origin.pipeline().context(originLeg);
    }

    /** How the client's texts are read now. */
    ClientText.Reading reading() {
        return new ClientText.Reading(
                answered.setting("client_encoding"),
                !answered.setting("standard_conforming_strings").equals("off"));
    }

    /** Cancels what runs on the origin. */
    void cancelOnOrigin(Runnable done) {
        cancels.send(loop(), answered.cancelKey(), done);
    }

    private boolean isHeld() {
        Offload working = offload;
        return working != null && working.isHeld();
    }

    /** What the client sent behind the message that is held, or a part of one. */
    ByteBuf kept() {
        return kept;
    }

    /** The held message is over: what stands behind it goes on. */
    void goOn() {
        if (!client.isActive()) {
            clientLeg.closed();
        } else if (!origin.isActive()) {
            originLeg.closed();
        } else {
            pump();
            origin.flush();
            if (!isHeld()) {
                read();
                endIfIdle();
            }
        }
    }

    /** The held message goes to the origin as it is. */
    void passHeld() {
        int size = 1 + kept.getInt(kept.readerIndex() + 1);
        Channels.write(origin, kept.readRetainedSlice(size));
        goOn();
    }

    /** The session is over: what was written to the client is sent first. */
    void end() {
        if (client.isActive()) {
            Channels.finish(client);
        } else {
            clientLeg.closed();
        }
    }

    /** Hands on what the client sent, up to a message that has to wait. */
    private void pump() {
        while (kept.isReadable() && !isHeld()) {
            boolean idle = offload != null && isIdle() && offload.inspector().isIdle();
            FrontendFrames.Verdict verdict = sent.walk(kept, LARGEST);
            int passed = sent.passed();
            code.sent(kept, passed, idle);
            if (passed == kept.readableBytes()) {
                ByteBuf all = kept;
                kept = Unpooled.EMPTY_BUFFER;
                Channels.write(origin, all);
                return;
            }
            if (passed > 0) {
                Channels.write(origin, kept.readRetainedSlice(passed));
            }
            switch (verdict) {
                case HOLD -> held();
                case DROP -> kept.skipBytes(sent.heldSize());
                case TOO_LARGE -> refuseLarge();
                case INCOMPLETE, PASS -> {
                    return;
                }
            }
        }
        if (!kept.isReadable()) {
            kept.release();
            kept = Unpooled.EMPTY_BUFFER;
        }
    }

    private void held() {
        Offload working = offload;
        if (working == null) {
            throw new IllegalStateException("held by nobody");
        }
        working.hold();
        origin.flush();
        // It may have ended before there was anybody to tell.
        if (working.isHeld() && !Channels.read(client, working.takesMore())) {
            clientLeg.ended();
        }
    }

    private void refuseLarge() {
        ErrorMessage message = ErrorMessage.fatal(
                "54000",
                "ddlrep: a statement of more than " + (LARGEST >> 20)
                        + " MB cannot be sent in a transaction with DDL of replicated tables",
                "It would have to be kept whole, to see whether it ends the transaction, which must end on every node.",
                "Send the rows by COPY, as parameters, or in a transaction of their own.");
        kept.skipBytes(kept.readableBytes());
        clientLeg.refused = true;
        Channels.send(client, message.frame(client.alloc()));
        // A connection that is closed while the client still sends is reset, and the message lost.
        Channels.whenFlushed(client, () -> endOutput(client));
        Channels.later(client, GRACE, () -> Channels.close(client));
    }

    private static void endOutput(Channel channel) {
        ChannelFuture unused = ((DuplexChannel) channel).shutdownOutput();
    }

    private void release() {
        kept.release();
        kept = Unpooled.EMPTY_BUFFER;
        code.release();
    }

    /** The code of what the client sent has met the guard: it is held as if it had not been sent yet. */
    private void again(Offload working, CodeRun run) {
        ByteBuf all = client.alloc().buffer();
        run.messages().forEach(message -> message.encode(all));
        all.writeBytes(kept);
        kept.release();
        kept = all;
        working.holdAgain(run);
        if (!Channels.read(client, false)) {
            clientLeg.ended();
        }
    }

    /** The client is told what the origin said behind the error of a first run. */
    void tellRest() {
        Channels.write(client, code.tellRest());
    }

    /** The client's leg. */
    private final class ClientLeg extends Relay {
        private boolean over;
        /** What it still sends is for nobody. */
        private boolean refused;

        ClientLeg() {
            super(origin);
        }

        @Override
        void saw(ByteBuf in) {
            if (over || refused) {
                in.release();
                return;
            }
            traffic.receivedBytes(in.readableBytes());
            if (kept.isReadable()) {
                kept = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(client.alloc(), kept, in);
            } else {
                kept.release();
                kept = in;
            }
            Offload working = offload;
            if (working != null && working.isHeld()) {
                working.clientSaid();
            } else {
                pump();
            }
        }

        @Override
        boolean otherMayRead() {
            return true;
        }

        @Override
        void ended() {
            Offload working = offload;
            if (working != null && working.isHeld()) {
                if (working.awaitsClient()) {
                    closed();
                    return;
                }
                // Its last message is answered first; but it may wait for what the origin will never say.
                Channels.later(loop(), origin, GRACE, this::cancelWhatRuns);
                Channels.later(loop(), origin, GRACE.multipliedBy(2), this::giveUp);
                return;
            }
            // The origin answers what it has got, as it would without a gateway. But most clients that end this way are
            // dead.
            Channels.whenFlushed(origin, () -> endOutput(origin));
            Channels.later(loop(), origin, GRACE, this::cancelWhatRuns);
        }

        @Override
        void closed() {
            Offload working = offload;
            if (working != null && working.isWorking()) {
                working.cancel();
                return;
            }
            if (over) {
                return;
            }
            over = true;
            release();
            cancelWhatRuns();
            if (working == null) {
                leave();
            } else {
                working.abandon(this::leave);
            }
        }

        private void giveUp() {
            Offload working = offload;
            if (working != null && working.isHeld() && !working.isWorking()) {
                Channels.close(client);
            }
        }

        private void leave() {
            Channels.finish(origin);
            // It may be waiting for us to read what nobody wants any more.
            Channels.later(loop(), origin, GRACE, () -> Channels.close(origin));
            if (key != null) {
                key.close();
            }
        }

        /** Without a client nobody wants what runs; a server by itself notices only when it writes. */
        private void cancelWhatRuns() {
            if (!outstanding.isQuiet() && !sent.isTerminated() && origin.isActive()) {
                cancelOnOrigin(() -> {});
            }
        }
    }

    /** The origin's leg. */
    private final class OriginLeg extends Relay {
        OriginLeg() {
            super(client);
        }

        @Override
        void saw(ByteBuf in) {
            traffic.sentBytes(in.readableBytes());
            answered.see(in);
            traffic.answeredQueries(answered.takeReady());
            Channels.write(client, code.answered(in));
            CodeRun run = code.take();
            if (run != null && offload != null) {
                again(offload, run);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            super.channelReadComplete(context);
            Offload working = offload;
            if (working != null) {
                working.originSaid();
            }
            endIfIdle();
        }

        @Override
        boolean otherMayRead() {
            Offload working = offload;
            return working == null || working.takesMore();
        }

        @Override
        void ended() {
            closed();
        }

        @Override
        void closed() {
            Offload working = offload;
            if (working == null) {
                Channels.finish(client);
            } else if (!working.isWorking()) {
                working.originClosed();
                Channels.write(client, code.tellAll());
                Channels.finish(client);
            }
        }
    }
}
