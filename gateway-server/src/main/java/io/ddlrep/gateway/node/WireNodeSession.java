package io.ddlrep.gateway.node;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.gateway.wire.Frame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link NodeSession} over a connection of the gateway's own. Used by one thread at a time, never by an event loop.
 */
class WireNodeSession implements NodeSession {
    private final String node;
    private volatile WireLink link;
    private final Runnable canceller;
    private final Map<String, List<NumberedStatement>> cut = new HashMap<>();
    private volatile boolean closed;
    private volatile TransactionStatus status = TransactionStatus.IDLE;

    /**
     * Makes one, over a connection that has logged in and waits for a command.
     *
     * @param node the node's short name
     * @param link the connection
     * @param canceller asks the server to cancel what runs
     */
    WireNodeSession(String node, WireLink link, Runnable canceller) {
        this.node = node;
        this.link = link;
        this.canceller = canceller;
    }

    final WireLink link() {
        return link;
    }

    /** The session goes on over the same connection, read anew. */
    final void link(WireLink next) {
        link = next;
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public void execute(String sql) {
        link.send(messages().query(sql).done());
        answers();
    }

    @Override
    public long update(String sql, @Nullable Object... parameters) {
        List<Answer> answers = run(sql, parameters);
        return answers.isEmpty() ? 0 : answers.get(0).changed();
    }

    @Override
    public List<Row> query(String sql, @Nullable Object... parameters) {
        List<Answer> answers = run(sql, parameters);
        return answers.isEmpty() ? List.of() : answers.get(answers.size() - 1).rows();
    }

    @Override
    public List<List<Row>> queryEach(String sql, @Nullable Object... parameters) {
        return run(sql, parameters).stream().map(Answer::rows).toList();
    }

    /** All statements of a text behind one Sync: one round trip, and one implicit transaction. */
    List<Answer> run(String sql, @Nullable Object... parameters) {
        Messages messages = messages();
        for (NumberedStatement statement : cut(sql)) {
            messages.run(statement.sql(), values(statement, parameters));
        }
        link.send(messages.sync().done());
        return answers();
    }

    final List<NumberedStatement> cut(String sql) {
        return cut.computeIfAbsent(sql, NumberedStatement::of);
    }

    static List<Parameter> values(NumberedStatement statement, @Nullable Object... parameters) {
        List<Parameter> values = new ArrayList<>();
        statement.order().forEach(number -> values.add(Parameter.of(parameters[number - 1])));
        return values;
    }

    /** Reads to ReadyForQuery; then throws what the server refused, if it did. */
    final List<Answer> answers() {
        List<Answer> answers = new ArrayList<>();
        List<String> names = List.of();
        List<Row> rows = new ArrayList<>();
        NodeException error = null;
        while (true) {
            Frame frame = take();
            switch (frame.type()) {
                case 'T' -> names = Answer.names(frame.body());
                case 'D' -> rows.add(Answer.row(names, frame.body()));
                case 'C', 'I' -> {
                    answers.add(new Answer(List.copyOf(rows), frame.type() == 'C' ? tag(frame) : ""));
                    rows.clear();
                }
                case 'E' -> error = error == null ? refused(frame) : error;
                // A statement that wants data, or has some, where none was asked for.
                case 'G' -> link.send(messages().copyFail("no data").done());
                case 'Z' -> {
                    ready(frame);
                    if (error != null) {
                        throw error;
                    }
                    return answers;
                }
                default -> other(frame);
            }
        }
    }

    /** Completions, copied data, and what is told to whom listens. */
    void other(Frame frame) {}

    final NodeException refused(Frame frame) {
        return new NodeException(
                node, WireErrors.errorOf(frame.body()), new RawError(frame.body()), WireErrors.isFatal(frame.body()));
    }

    /** The next frame; an error that ends the connection says why before the end does. */
    Frame take() {
        Frame frame = link.take();
        if (frame.type() == 'E') {
            NodeException failure = refused(frame);
            if (failure.isConnectionLost()) {
                link.close();
                throw failure;
            }
        }
        return frame;
    }

    final void ready(Frame frame) {
        status = switch (frame.body()[0]) {
            case 'T' -> TransactionStatus.IN_TRANSACTION;
            case 'E' -> TransactionStatus.FAILED;
            default -> TransactionStatus.IDLE;
        };
    }

    final void status(TransactionStatus now) {
        status = now;
    }

    static String tag(Frame frame) {
        return new String(frame.body(), 0, frame.body().length - 1, StandardCharsets.UTF_8);
    }

    final Messages messages() {
        return new Messages(link.buffer());
    }

    /** Reads what follows the data of a COPY. */
    void copied() {
        answers();
    }

    /** A statement has failed: has the session ready for the next one. */
    NodeException failed(NodeException failure) {
        answers();
        return failure;
    }

    @Override
    public CopySource copyOut(String sql) {
        link.send(messages().query(sql).done());
        begin('H', sql);
        return source();
    }

    final CopySource source() {
        return new Source();
    }

    @Override
    public CopySink copyIn(String sql) {
        link.send(messages().query(sql).done());
        begin('G', sql);
        return new Sink();
    }

    /** Reads until the COPY has begun. */
    private void begin(char type, String sql) {
        while (true) {
            Frame frame = take();
            if (frame.type() == type) {
                return;
            }
            if (frame.type() == 'E') {
                throw failed(refused(frame));
            }
            if (frame.type() == 'Z') {
                ready(frame);
                throw new IllegalArgumentException("not a COPY of this direction: " + sql);
            }
        }
    }

    @Override
    public TransactionStatus transactionStatus() {
        return status;
    }

    @Override
    public void cancel() {
        canceller.run();
    }

    @Override
    public boolean isClosed() {
        return closed || link.isClosed();
    }

    @Override
    public void close() {
        if (!isClosed()) {
            closed = true;
            link.sendAndClose(messages().terminate().done());
        }
    }

    /** Data that comes out. */
    private final class Source implements CopySource {
        private boolean over;

        @Override
        public byte @Nullable [] next() {
            while (!over) {
                Frame frame = take();
                switch (frame.type()) {
                    case 'd' -> {
                        return frame.body();
                    }
                    case 'c' -> {
                        over = true;
                        copied();
                    }
                    case 'E' -> {
                        over = true;
                        throw failed(refused(frame));
                    }
                    default -> other(frame);
                }
            }
            return null;
        }

        @Override
        public void close() {
            if (over) {
                return;
            }
            over = true;
            canceller.run();
            try {
                copied();
            } catch (NodeException e) {
                if (e.isConnectionLost()) {
                    throw e;
                }
                // 57014, which was asked for.
            }
        }
    }

    /** Data that goes in. */
    private final class Sink implements CopySink {
        private boolean over;

        @Override
        public void write(byte[] chunk) {
            link.send(messages().copyData(chunk).done());
        }

        @Override
        public long finish() {
            over = true;
            link.send(messages().copyDone().done());
            List<Answer> answers = answers();
            return answers.isEmpty() ? 0 : answers.get(0).changed();
        }

        @Override
        public void close() {
            if (over) {
                return;
            }
            over = true;
            link.send(messages().copyFail("given up").done());
            try {
                answers();
            } catch (NodeException e) {
                if (e.isConnectionLost()) {
                    throw e;
                }
                // 57014, which is how a COPY that is given up ends.
            }
        }
    }
}
