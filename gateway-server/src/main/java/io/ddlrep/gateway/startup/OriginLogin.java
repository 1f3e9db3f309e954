package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.scram.NodeLogin;
import io.ddlrep.gateway.scram.ScramException;
import io.ddlrep.gateway.scram.ServerExchange;
import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.ddlrep.gateway.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs in on the origin as the client, by the client's key and with its own startup packet. The client learns that its login
 * succeeded when the origin's has. Stands behind a {@link io.ddlrep.gateway.wire.FrameReader}, on one event loop.
 */
public final class OriginLogin extends SimpleChannelInboundHandler<Frame> {
    private static final Logger LOG = LoggerFactory.getLogger(OriginLogin.class);
    private static final int OK = 0;
    private static final int SASL_FINAL = 12;

    private final Channel client;
    private final ServerExchange.Accepted login;
    private final NodeLogin answers;
    private final Runnable done;
    private boolean over;

    /**
     * For one connection.
     *
     * @param client the client's connection
     * @param login how the client logged in
     * @param binding the hash of the origin's certificate; empty where the connection is not encrypted
     * @param done called when the origin let it in
     */
    public OriginLogin(Channel client, ServerExchange.Accepted login, Optional<byte[]> binding, Runnable done) {
        this.client = client;
        this.login = login;
        this.answers = new NodeLogin(login.key(), binding);
        this.done = done;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        switch (frame.type()) {
            case 'R' -> request(context, frame);
            case 'E' -> {
                over = true;
                Channels.sendAndClose(client, frame.encode(client.alloc()));
                Channels.close(context);
            }
            // What version is spoken, and notices.
            case 'v', 'N' -> Channels.send(client, frame.encode(client.alloc()));
            default ->
                refuse(context, "08P01", "the origin sent a message of type " + frame.type() + " during a login", "");
        }
    }

    private void request(ChannelHandlerContext context, Frame frame) {
        try {
            answers.answer(frame.body())
                    .ifPresent(data -> Channels.send(context, Frame.answer(data).encode(context.alloc())));
            if (answers.isAccepted()) {
                accepted();
            }
        } catch (ScramException e) {
            refuse(context, e.sqlState(), e.message(), e.detail());
        }
    }

    private void accepted() {
        over = true;
        ByteBuf last = Frame.authentication(SASL_FINAL, login.answer().getBytes(StandardCharsets.UTF_8))
                .encode(client.alloc());
        Channels.write(client, last);
        Channels.send(client, Frame.authentication(OK, new byte[0]).encode(client.alloc()));
        done.run();
    }

    private void refuse(ChannelHandlerContext context, String sqlState, String message, String detail) {
        over = true;
        LOG.warn("{}: no login on the origin: {}", client.remoteAddress(), message);
        ErrorMessage error = ErrorMessage.fatal(sqlState, "ddlrep: " + message, detail.isEmpty() ? null : detail, null);
        Channels.sendAndClose(client, error.frame(client.alloc()));
        Channels.close(context);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            Channels.close(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!over) {
            refuse(context, "08006", "the origin closed the connection during the login", "");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("{}", context.channel(), cause);
        Channels.close(context);
    }
}
