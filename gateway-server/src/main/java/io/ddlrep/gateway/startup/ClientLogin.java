package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.scram.ScramException;
import io.ddlrep.gateway.scram.ServerExchange;
import io.ddlrep.gateway.scram.Verifier;
import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.ddlrep.gateway.wire.Frame;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a client for its password by SCRAM. Stands behind a {@link io.ddlrep.gateway.wire.FrameReader}, on one event loop.
 */
public final class ClientLogin extends SimpleChannelInboundHandler<Frame> {
    private static final Logger LOG = LoggerFactory.getLogger(ClientLogin.class);
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;

    private final String user;
    private final Verifiers verifiers;
    private final Optional<byte[]> certificateHash;
    private final Duration limit;
    private final Consumer<ServerExchange.Accepted> accepted;
    private @Nullable ServerExchange exchange;
    private boolean begun;
    private @Nullable ScheduledFuture<?> timeout;

    /**
     * For one connection.
     *
     * @param user who logs in
     * @param verifiers where verifiers come from
     * @param certificateHash of the gateway's certificate where the connection is encrypted; empty where it is not
     * @param limit how long all of it may take
     * @param accepted called once the client has proved to have the password; the connection reads nothing by then
     */
    public ClientLogin(
            String user,
            Verifiers verifiers,
            Optional<byte[]> certificateHash,
            Duration limit,
            Consumer<ServerExchange.Accepted> accepted) {
        this.user = user;
        this.verifiers = verifiers;
        this.certificateHash = certificateHash;
        this.limit = limit;
        this.accepted = accepted;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        timeout = context.executor()
                .schedule(
                        () -> {
                            LOG.info("{}: no login in time", context.channel().remoteAddress());
                            Channels.close(context);
                        },
                        limit.toMillis(),
                        TimeUnit.MILLISECONDS);
        verifiers
                .of(user)
                .whenCompleteAsync((verifier, failure) -> ask(context, verifier, failure), context.executor());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }

    private void ask(ChannelHandlerContext context, @Nullable Verifier verifier, @Nullable Throwable failure) {
        if (verifier == null) {
            LOG.warn("the verifier of a role could not be read", failure);
            refuse(
                    context,
                    ErrorMessage.fatal(
                            "08006", "ddlrep: the origin cannot be asked who may log in", null, "Try again later."));
            return;
        }
        exchange = new ServerExchange(verifier, certificateHash);
        String plus = certificateHash.isPresent() ? ServerExchange.MECHANISM_PLUS + "\0" : "";
        byte[] mechanisms = (plus + ServerExchange.MECHANISM + "\0\0").getBytes(StandardCharsets.US_ASCII);
        Channels.send(context, Frame.authentication(SASL, mechanisms).encode(context.alloc()));
        context.channel().config().setAutoRead(true);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        ServerExchange open = exchange;
        if (frame.type() != 'p' || open == null) {
            refuse(
                    context,
                    ErrorMessage.fatal(
                            "08P01", "expected SASL response, got message type " + (int) frame.type(), null, null));
            return;
        }
        try {
            if (begun) {
                ServerExchange.Accepted done = open.last(frame.body());
                exchange = null;
                context.channel().config().setAutoRead(false);
                accepted.accept(done);
            } else {
                begun = true;
                byte[] answer = first(open, frame.body()).getBytes(StandardCharsets.UTF_8);
                Channels.send(
                        context, Frame.authentication(SASL_CONTINUE, answer).encode(context.alloc()));
            }
        } catch (ScramException e) {
            boolean wrong = e.sqlState().equals("28P01");
            String message = wrong ? "password authentication failed for user \"" + user + "\"" : e.message();
            refuse(context, ErrorMessage.fatal(e.sqlState(), message, e.detail().isEmpty() ? null : e.detail(), null));
        }
    }

    /** SASLInitialResponse: the mechanism's name, a length, the client's first message. */
    private String first(ServerExchange open, byte[] body) throws ScramException {
        int end = 0;
        while (end < body.length && body[end] != 0) {
            end++;
        }
        String mechanism = new String(body, 0, end, StandardCharsets.US_ASCII);
        int data = end + 1 + Integer.BYTES;
        boolean whole = data <= body.length && ByteBuffer.wrap(body).getInt(end + 1) == body.length - data;
        boolean offered = mechanism.equals(ServerExchange.MECHANISM)
                || (certificateHash.isPresent() && mechanism.equals(ServerExchange.MECHANISM_PLUS));
        if (!whole || !offered) {
            throw ServerExchange.refused();
        }
        return open.first(mechanism, Arrays.copyOfRange(body, data, body.length));
    }

    private void refuse(ChannelHandlerContext context, ErrorMessage message) {
        LOG.info(
                "{}: no login as \"{}\": {}",
                context.channel().remoteAddress(),
                user,
                message.error().message());
        context.channel().config().setAutoRead(false);
        Channels.sendAndClose(context, message.frame(context.alloc()));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            Channels.close(context);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("{}", context.channel(), cause);
        Channels.close(context);
    }
}
