package io.ddlrep.gateway.node;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.NodeTls;
import io.ddlrep.gateway.wire.Transport;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * A client's own session that is lent in the middle of a pipeline. Outside a transaction the client's Sync follows each call,
 * without which nothing would be committed.
 */
class LentSessionIT extends NodeSessionContract {
    private static final Transport TRANSPORT = Transport.best();
    private static final EventLoopGroup LOOPS = TRANSPORT.loops("test", 1);

    @AfterAll
    static void shutDown() {
        Future<?> unused = LOOPS.shutdownGracefully();
    }

    @Override
    NodeSession open(NodeAddress address, String user, String password) {
        return new Synced(
                (WireNodeSession) new WireConnector(TRANSPORT, NodeTls.NONE, LOOPS).open(address, user, null, "test"));
    }

    @Override
    @Test
    void what_is_copied_in_is_kept_or_given_up() {
        assertThatThrownBy(() -> session.copyIn("COPY t FROM STDIN")).isInstanceOf(UnsupportedOperationException.class);
    }

    /** Nobody: the engine's own statements tell a client nothing. */
    private enum Nobody implements ToClient {
        INSTANCE;

        @Override
        public void tell(Frame frame) {
            if (frame.type() != 'S') {
                throw new AssertionError("told " + frame);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void copiesIn(boolean on) {
            throw new AssertionError("copies in");
        }
    }

    /** Lends the session for each call. */
    private static final class Synced implements NodeSession {
        private final WireNodeSession own;
        private final ClientWireSession lent;

        Synced(WireNodeSession own) {
            this.own = own;
            this.lent = new ClientWireSession("n1", own.link(), own::cancel, Nobody.INSTANCE);
            lent.lend(own.link(), (byte) 'I', true, false);
        }

        private <T> T synced(Supplier<T> call) {
            try {
                return call.get();
            } finally {
                sync();
            }
        }

        private void sync() {
            if (!lent.isClosed() && lent.transactionStatus() == TransactionStatus.IDLE) {
                lent.lend(own.link(), (byte) 'I', true, true);
            }
        }

        @Override
        public String node() {
            return lent.node();
        }

        @Override
        public void execute(String sql) {
            synced(() -> {
                lent.execute(sql);
                return true;
            });
        }

        @Override
        public long update(String sql, @Nullable Object... parameters) {
            return synced(() -> lent.update(sql, parameters));
        }

        @Override
        public List<Row> query(String sql, @Nullable Object... parameters) {
            return synced(() -> lent.query(sql, parameters));
        }

        @Override
        public List<List<Row>> queryEach(String sql, @Nullable Object... parameters) {
            return synced(() -> lent.queryEach(sql, parameters));
        }

        @Override
        public CopySource copyOut(String sql) {
            return lent.copyOut(sql);
        }

        @Override
        public CopySink copyIn(String sql) {
            return lent.copyIn(sql);
        }

        @Override
        public TransactionStatus transactionStatus() {
            return lent.transactionStatus();
        }

        @Override
        public void cancel() {
            lent.cancel();
        }

        @Override
        public boolean isClosed() {
            return own.isClosed();
        }

        @Override
        public void close() {
            own.close();
        }
    }
}
