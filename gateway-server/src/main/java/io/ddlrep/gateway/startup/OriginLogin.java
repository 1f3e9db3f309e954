package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.scram.ClientExchange;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs in on the origin as the client, by the client's key and with its own startup packet. The client learns that its login
 * succeeded when the origin's has. Stands behind a {@link io.ddlrep.gateway.wire.FrameReader}, on one event loop.
 */
public final class OriginLogin extends SimpleChannelInboundHandler<Frame> {
    private static final Logger LOG = LoggerFactory.getLogger(OriginLogin.class);
    private static final int OK = 0;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final Channel client;
    private final ServerExchange.Accepted login;
    private final ClientExchange exchange;
    private final Runnable done;
    private boolean over;

    /**
     * For one connection.
     *
     * @param client the client's connection
     * @param login how the client logged in
     * @param done called when the origin let it in
     */
    public OriginLogin(Channel client, ServerExchange.Accepted login, Runnable done) {
        this.client = client;
        this.login = login;
        this.exchange = new ClientExchange(login.key());
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
        ByteBuffer body = ByteBuffer.wrap(frame.body());
        int code = body.remaining() < Integer.BYTES ? -1 : body.getInt();
        byte[] data = new byte[body.remaining()];
        body.get(data);
        try {
            switch (code) {
                case OK -> accepted();
                case SASL -> {
                    List<String> mechanisms = List.of(new String(data, StandardCharsets.US_ASCII).split("\0", -1));
                    if (!mechanisms.contains(ServerExchange.MECHANISM)) {
                        refuse(context, "28000", "the origin does not take SCRAM-SHA-256", "");
                        return;
                    }
                    answer(context, exchange.initialResponse());
                }
                case SASL_CONTINUE -> answer(context, exchange.last(data).getBytes(StandardCharsets.UTF_8));
                case SASL_FINAL -> exchange.verify(data);
                default ->
                    refuse(
                            context,
                            "28000",
                            "the origin asks for a login other than by SCRAM-SHA-256 (request " + code + ")",
                            "Set scram-sha-256 for the gateway's address in the origin's pg_hba.conf.");
            }
        } catch (ScramException e) {
            refuse(context, e.sqlState(), e.message(), e.detail());
        }
    }

    private static void answer(ChannelHandlerContext context, byte[] data) {
        Channels.send(context, Frame.answer(data).encode(context.alloc()));
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
        LOG.warn("a login on the origin failed: {}", message);
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
