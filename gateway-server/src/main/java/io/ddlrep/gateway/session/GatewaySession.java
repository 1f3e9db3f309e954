package io.ddlrep.gateway.session;

import io.ddlrep.gateway.cancel.CancelRequests;
import io.ddlrep.gateway.scram.ClientKey;
import io.ddlrep.gateway.wire.BackendFrames;
import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.FrontendFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client's session: its connection, and the one to the origin that is its alone for as long as it lives. Both are served
 * by one event loop, so there is neither a lock nor a hand-over between them.
 */
final class GatewaySession {
    /** How long a client that sends nothing more, or the origin without its client, is waited for. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Channel client;
    private final Channel origin;
    private final CancelRequests cancels;
    private final @Nullable ClientKey key;
    private final FrontendFrames sent = new FrontendFrames();
    private final BackendFrames answered = new BackendFrames(this::ready);
    private final Relay clientLeg;
    private final Relay originLeg;
    private boolean waiting;

    /**
     * Makes one; {@link #begin} begins it.
     *
     * @param key the client's, wiped at the end; null where the origin asked the client itself
     */
    GatewaySession(Channel client, Channel origin, CancelRequests cancels, @Nullable ClientKey key) {
        this.client = client;
        this.origin = origin;
        this.cancels = cancels;
        this.key = key;
        this.clientLeg = new ClientLeg();
        this.originLeg = new OriginLeg();
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

    /** Lets both legs read. A side that ended before there was anybody to tell is told of now. */
    void read() {
        if (!Channels.read(client, true)) {
            clientLeg.ended();
        }
        if (!Channels.read(origin, true)) {
            originLeg.ended();
        }
    }

    private void ready() {
        waiting = false;
    }

    private void endOrigin() {
        ChannelFuture unused = ((DuplexChannel) origin).shutdownOutput();
    }

    /** Sends what is still to be written, then closes. */
    private static void finish(Channel channel) {
        if (channel.isActive()) {
            Channels.whenFlushed(channel, () -> Channels.close(channel));
        }
    }

    /** The client's leg. */
    private final class ClientLeg extends Relay {
        ClientLeg() {
            super(origin);
        }

        @Override
        void saw(ByteBuf in) {
            waiting |= in.isReadable();
            sent.see(in);
        }

        @Override
        void ended() {
            // The origin answers what it has got, as it would without a gateway. But most clients that end this way are
            // dead.
            Channels.whenFlushed(origin, GatewaySession.this::endOrigin);
            Channels.later(origin, GRACE, this::cancelWhatRuns);
        }

        @Override
        void closed() {
            cancelWhatRuns();
            finish(origin);
            // It may be waiting for us to read what nobody wants any more.
            Channels.later(origin, GRACE, () -> Channels.close(origin));
            if (key != null) {
                key.close();
            }
        }

        /** Without a client nobody wants what runs; a server by itself notices only when it writes. */
        private void cancelWhatRuns() {
            if (waiting && !sent.isTerminated() && origin.isActive()) {
                cancels.send(origin.eventLoop(), answered.cancelKey(), () -> {});
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
            answered.see(in);
        }

        @Override
        void ended() {
            finish(client);
        }

        @Override
        void closed() {
            finish(client);
        }
    }
}
