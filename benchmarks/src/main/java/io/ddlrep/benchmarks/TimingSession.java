package io.ddlrep.benchmarks;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.TransactionStatus;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A session that tells how long each message took. As thread-safe as the session behind it. */
final class TimingSession implements NodeSession {
    private final NodeSession session;
    private final String purpose;
    private final Consumer<Message> messages;

    TimingSession(NodeSession session, String purpose, Consumer<Message> messages) {
        this.session = session;
        this.purpose = purpose;
        this.messages = messages;
    }

    private <T> T timed(String sql, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } finally {
            messages.accept(Message.of(session.node(), purpose, sql, start));
        }
    }

    @Override
    public String node() {
        return session.node();
    }

    @Override
    public void execute(String sql) {
        long start = System.nanoTime();
        try {
            session.execute(sql);
        } finally {
            messages.accept(Message.of(session.node(), purpose, sql, start));
        }
    }

    @Override
    public long update(String sql, @Nullable Object... parameters) {
        return timed(sql, () -> session.update(sql, parameters));
    }

    @Override
    public List<Row> query(String sql, @Nullable Object... parameters) {
        return timed(sql, () -> session.query(sql, parameters));
    }

    @Override
    public List<List<Row>> queryEach(String sql, @Nullable Object... parameters) {
        return timed(sql, () -> session.queryEach(sql, parameters));
    }

    @Override
    public CopySource copyOut(String sql) {
        return timed(sql, () -> session.copyOut(sql));
    }

    @Override
    public CopySink copyIn(String sql) {
        return timed(sql, () -> session.copyIn(sql));
    }

    @Override
    public TransactionStatus transactionStatus() {
        return session.transactionStatus();
    }

    @Override
    public void cancel() {
        session.cancel();
    }

    @Override
    public boolean isClosed() {
        return session.isClosed();
    }

    @Override
    public void close() {
        session.close();
    }
}
