package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.wire.Channels;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
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

    private final StartupRequests requests;
    private final Duration limit;
    private ByteBuf seen = Unpooled.EMPTY_BUFFER;
    private boolean over;
    private @Nullable ScheduledFuture<?> timeout;

    /**
     * For one connection.
     *
     * @param requests what to do with what is read
     * @param limit how long the client may take
     */
    public StartupHandler(StartupRequests requests, Duration limit) {
        this.requests = requests;
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
            case SSL_REQUEST, GSS_REQUEST -> {
                seen.skipBytes(length);
                Channels.send(context, context.alloc().buffer(1).writeByte(REFUSED));
            }
            case CANCEL_REQUEST -> {
                over = true;
                requests.cancel(context.channel(), seen.readRetainedSlice(length));
            }
            default -> {
                over = true;
                context.channel().config().setAutoRead(false);
                ByteBuf packet = seen.readRetainedSlice(length);
                ByteBuf rest = seen;
                seen = Unpooled.EMPTY_BUFFER;
                context.pipeline().remove(this);
                requests.session(context.channel(), packet, rest);
            }
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
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("{}", context.channel().remoteAddress(), cause);
        Channels.close(context);
    }
}
