package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the first packets of a connection, in any order and cut anywhere: requests for encryption, then a startup packet or a
 * request to cancel. Which versions and parameters are good is the origin's to say: it gets the packet as it came.
 *
 * <p>Used on one event loop. The limits are those of {@code ProcessStartupPacket} in PostgreSQL.
 */
public final class StartupHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(StartupHandler.class);

    private static final int CANCEL_REQUEST = 80877102;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int SHORTEST = 8;
    private static final int LONGEST = 10_000;
    private static final int REFUSED = 'N';

    private static final int ACCEPTED = 'S';

    /** The first byte of a TLS handshake; as the first of a length it would be one that no packet has. */
    private static final int HANDSHAKE = 0x16;

    private final StartupRequests requests;
    private final Optional<Tls> tls;
    private final Duration limit;
    private ByteBuf seen = Unpooled.EMPTY_BUFFER;
    private boolean over;
    private boolean encrypted;
    private boolean direct;
    private @Nullable ScheduledFuture<?> timeout;

    /**
     * For one connection.
     *
     * @param requests what to do with what is read
     * @param tls how the connection is encrypted where the client asks for it; empty: it is told that it cannot be
     * @param limit how long the client may take
     */
    public StartupHandler(StartupRequests requests, Optional<Tls> tls, Duration limit) {
        this.requests = requests;
        this.tls = tls;
        this.limit = limit;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        timeout = context.executor()
                .schedule(
                        () -> {
                            LOG.info(
                                    "{}: no startup packet in time",
                                    context.channel().remoteAddress());
                            Channels.close(context);
                        },
                        limit.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (over) {
            in.release();
            return;
        }
        seen = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), seen, in);
        if (!encrypted && seen.isReadable() && seen.getByte(seen.readerIndex()) == HANDSHAKE) {
            beginDirectly(context);
            return;
        }
        while (!over && seen.readableBytes() >= SHORTEST) {
            int length = seen.getInt(seen.readerIndex());
            if (length < SHORTEST || length > LONGEST) {
                // As PostgreSQL does: whoever sends this does not speak the protocol, so an answer would help nobody.
                LOG.info(
                        "{}: invalid length of a startup packet",
                        context.channel().remoteAddress());
                over = true;
                Channels.close(context);
            } else if (seen.readableBytes() < length) {
                return;
            } else {
                packet(context, length);
            }
        }
    }

    private void packet(ChannelHandlerContext context, int length) {
        switch (seen.getInt(seen.readerIndex() + 4)) {
            case SSL_REQUEST, GSS_REQUEST -> encryption(context, length);
            case CANCEL_REQUEST -> {
                over = true;
                requests.cancel(context.channel(), seen.readRetainedSlice(length));
            }
            default -> session(context, length);
        }
    }

    private void session(ChannelHandlerContext context, int length) {
        over = true;
        context.channel().config().setAutoRead(false);
        ByteBuf packet = seen.readRetainedSlice(length);
        ByteBuf rest = seen;
        seen = Unpooled.EMPTY_BUFFER;
        context.pipeline().remove(this);
        requests.session(context.channel(), packet, rest);
    }

    private void encryption(ChannelHandlerContext context, int length) {
        if (encrypted) {
            // Once is enough: to the server this is a version that nobody speaks.
            session(context, length);
            return;
        }
        boolean accepted = seen.getInt(seen.readerIndex() + 4) == SSL_REQUEST && tls.isPresent();
        seen.skipBytes(length);
        if (!accepted) {
            Channels.send(context, context.alloc().buffer(1).writeByte(REFUSED));
        } else if (seen.isReadable()) {
            // What somebody slipped in between must not be taken for part of the encrypted stream (CVE-2021-23214).
            over = true;
            ErrorMessage message = ErrorMessage.fatal(
                    "08P01",
                    "received unencrypted data after SSL request",
                    "This could be either a client-software bug or evidence of an attempted man-in-the-middle attack.",
                    null);
            Channels.sendAndClose(context, message.frame(context.alloc()));
        } else {
            encrypted = true;
            Channels.send(context, context.alloc().buffer(1).writeByte(ACCEPTED));
            context.pipeline().addFirst(tls.get().handler(context.channel()));
        }
    }

    /** TLS without asking first, as PostgreSQL 17 takes it. */
    private void beginDirectly(ChannelHandlerContext context) {
        if (tls.isEmpty()) {
            over = true;
            Channels.close(context);
            return;
        }
        encrypted = true;
        direct = true;
        ByteBuf handshake = seen;
        seen = Unpooled.EMPTY_BUFFER;
        context.pipeline().addFirst(tls.get().handler(context.channel()));
        context.pipeline().fireChannelRead(handshake);
    }

    /** Who begins directly must say that it speaks PostgreSQL's protocol: else another protocol's bytes could be passed on. */
    private void shaken(ChannelHandlerContext context) {
        SslHandler handler = context.pipeline().get(SslHandler.class);
        if (direct && !Tls.PROTOCOL.equals(handler.applicationProtocol())) {
            LOG.info("{}: TLS without ALPN for PostgreSQL", context.channel().remoteAddress());
            over = true;
            Channels.close(context);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        seen.release();
        seen = Unpooled.EMPTY_BUFFER;
        if (timeout != null) {
            timeout.cancel(false);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !over) {
            Channels.close(context);
        } else if (event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
            shaken(context);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("{}", context.channel().remoteAddress(), cause);
        Channels.close(context);
    }
}
