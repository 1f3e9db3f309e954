package io.ddlrep.gateway.admin;

import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.Frame;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the virtual database. Stands behind a {@link io.ddlrep.gateway.wire.FrameReader}, on one event loop; each message
 * is answered by a thread that may wait, one at a time, and the client is not read meanwhile.
 */
final class AdminSession extends SimpleChannelInboundHandler<Frame> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminSession.class);

    private final AdminConversation conversation;
    private final Executor threads;
    private final Runnable ended;
    private final Queue<Frame> waiting = new ArrayDeque<>();
    private boolean working;
    private boolean over;

    /**
     * For one client.
     *
     * @param conversation answers
     * @param threads run it
     * @param ended told when the client is gone
     */
    AdminSession(AdminConversation conversation, Executor threads, Runnable ended) {
        this.conversation = conversation;
        this.threads = threads;
        this.ended = ended;
    }

    /** Runs something of the conversation; called on the event loop. */
    void work(Channel channel, Runnable task) {
        working = true;
        boolean unused = Channels.read(channel, false);
        threads.execute(() -> {
            try {
                task.run();
            } catch (AdminException e) {
                LOG.debug("the virtual database lost a client", e);
                Channels.close(channel);
            } catch (RuntimeException | Error e) {
                LOG.error("a session of the virtual database failed in an unexpected way", e);
                Channels.close(channel);
            } finally {
                channel.eventLoop().execute(() -> {
                    working = false;
                    next(channel);
                });
            }
        });
    }

    private void next(Channel channel) {
        if (over) {
            close();
            return;
        }
        Frame frame = waiting.poll();
        if (frame == null) {
            if (!Channels.read(channel, true)) {
                Channels.close(channel);
            }
        } else if (frame.type() == 'X') {
            Channels.close(channel);
        } else {
            work(channel, () -> conversation.take(frame));
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
        waiting.add(frame);
        if (!working) {
            next(context.channel());
        }
    }

    private void close() {
        waiting.clear();
        threads.execute(conversation::close);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !working) {
            Channels.close(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        over = true;
        ended.run();
        if (working) {
            threads.execute(conversation::cancel);
        } else {
            close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("{}", context.channel(), cause);
        Channels.close(context);
    }
}
