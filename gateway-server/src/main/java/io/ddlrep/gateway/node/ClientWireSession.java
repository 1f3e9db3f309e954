package io.ddlrep.gateway.node;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.TransactionVerb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's own session on the origin, lent to a thread that runs the client's DDL. Used by that thread alone.
 *
 * <p>In answer to a Query the session is spoken to as any other. In a pipeline everything is sent by names of the gateway's own
 * and flushed, never synced: the client's unnamed statement and its portals stay, and so does the transaction that the pipeline
 * has begun. Only where something failed is there a Sync, which ends the server's skipping; what the client sends up to its own
 * Sync is then for the caller to drop.
 */
public final class ClientWireSession extends WireNodeSession {
    private static final int CLOSES = 4;

    private final ToClient client;
    private boolean pipelined;

    /**
     * Makes one.
     *
     * @param node the origin's name
     * @param link the first lending's link
     * @param canceller asks the origin to cancel what runs
     * @param client gets what the origin says to the client
     */
    public ClientWireSession(String node, WireLink link, Runnable canceller, ToClient client) {
        super(node, link, canceller);
        this.client = client;
    }

    /**
     * The session is lent.
     *
     * @param link reads its connection
     * @param status {@code I}, {@code T} or {@code E}
     * @param inPipeline whether it stands between two messages of the extended protocol
     * @param skipping whether the server skips messages up to a Sync; it is sent one
     */
    public void lend(WireLink link, byte status, boolean inPipeline, boolean skipping) {
        link(link);
        status(
                switch (status) {
                    case 'T' -> TransactionStatus.IN_TRANSACTION;
                    case 'E' -> TransactionStatus.FAILED;
                    default -> TransactionStatus.IDLE;
                });
        pipelined = inPipeline;
        if (skipping) {
            link.send(messages().sync().done());
            answers();
        }
    }

    /** What ReadyForQuery would say now. */
    public byte status() {
        return switch (transactionStatus()) {
            case IDLE -> 'I';
            case IN_TRANSACTION -> 'T';
            case FAILED -> 'E';
        };
    }

    /** Runs a Query of the client's; the client gets what is answered, but for an error and for ReadyForQuery. */
    public void query(Frame query) {
        query(query, false);
    }

    /**
     * The same.
     *
     * @param described whether the client has got the description of its rows already
     */
    public void query(Frame query, boolean described) {
        link().send(messages().frame(query).done());
        boolean copying = false;
        boolean describes = !described;
        NodeException error = null;
        while (true) {
            Frame frame = take();
            if (copying && (frame.type() == 'C' || frame.type() == 'E')) {
                copying = false;
                client.copiesIn(false);
            }
            switch (frame.type()) {
                case 'E' -> error = error == null ? refused(frame) : error;
                case 'G' -> {
                    copying = true;
                    beginCopy(frame);
                }
                case 'Z' -> {
                    ready(frame);
                    if (error != null) {
                        throw error;
                    }
                    return;
                }
                case 'T' -> {
                    if (describes) {
                        client.tell(frame);
                    }
                    describes = true;
                }
                default -> client.tell(frame);
            }
        }
    }

    /**
     * Sends a client's Execute; the client gets what is answered, but for an error.
     *
     * @param sql the statement
     */
    public void execute(Frame execute, String sql) {
        link().send(messages().frame(execute).flush().done());
        executed(sql);
    }

    /**
     * The same for a statement that the server runs only where nothing else has run since the last Sync, not even the
     * gateway's own statements: behind a Sync, with the portal bound anew, since it has ended with that.
     *
     * @param bind the client's Bind
     * @param execute the client's Execute
     * @param sql the statement
     */
    public void executeAnew(Frame bind, Frame execute, String sql) {
        link().send(messages().sync().done());
        answers();
        bindAndExecute(bind, execute, sql);
    }

    /**
     * Binds a portal anew, since its transaction is over, and executes it; the client gets what Execute is answered, but for an
     * error.
     *
     * @param bind the client's Bind
     * @param execute the client's Execute
     * @param sql the statement
     */
    public void bindAndExecute(Frame bind, Frame execute, String sql) {
        link().send(messages().frame(bind).frame(execute).flush().done());
        Frame first = take();
        if (first.type() == 'E') {
            throw failed(refused(first));
        }
        // BindComplete: the client has one already.
        executed(sql);
    }

    private void executed(String sql) {
        boolean copying = false;
        while (true) {
            Frame frame = take();
            char type = frame.type();
            if (copying && (type == 'C' || type == 'E')) {
                copying = false;
                client.copiesIn(false);
            }
            if (type == 'E') {
                throw failed(refused(frame));
            } else if (type == 'G') {
                copying = true;
                beginCopy(frame);
            } else {
                client.tell(frame);
                if (type == 'C') {
                    tagged(tag(frame), sql);
                }
                if (type == 'C' || type == 'I' || type == 's') {
                    return;
                }
            }
        }
    }

    private void beginCopy(Frame frame) {
        client.tell(frame);
        client.flush();
        client.copiesIn(true);
    }

    @Override
    public void execute(String sql) {
        if (pipelined) {
            run(sql);
        } else {
            super.execute(sql);
        }
    }

    @Override
    List<Answer> run(String sql, @Nullable Object... parameters) {
        if (!pipelined) {
            return super.run(sql, parameters);
        }
        List<NumberedStatement> statements = cut(sql);
        Messages messages = messages();
        statements.forEach(s -> messages.runNamed(s.sql(), values(s, parameters)));
        link().send(messages.flush().done());
        return named(statements);
    }

    private List<Answer> named(List<NumberedStatement> statements) {
        List<Answer> answers = new ArrayList<>();
        List<String> names = List.of();
        List<Row> rows = new ArrayList<>();
        int closes = CLOSES * statements.size();
        while (closes > 0) {
            Frame frame = take();
            switch (frame.type()) {
                case '3' -> closes--;
                case 'T' -> names = Answer.names(frame.body());
                case 'D' -> rows.add(Answer.row(names, frame.body()));
                case 'C', 'I' -> {
                    String tag = frame.type() == 'C' ? tag(frame) : "";
                    tagged(tag, statements.get(answers.size()).sql());
                    answers.add(new Answer(List.copyOf(rows), tag));
                    rows.clear();
                }
                case 'E' -> throw failed(refused(frame));
                default -> other(frame);
            }
        }
        return answers;
    }

    /** In a pipeline ends the server's skipping, and leaves nothing of the gateway's own behind. */
    @Override
    NodeException failed(NodeException failure) {
        if (!pipelined) {
            return super.failed(failure);
        }
        link().send(messages().sync().done());
        answers();
        link().send(messages().close().sync().done());
        answers();
        return failure;
    }

    /** What a command tag says of the transaction; between two Syncs nothing else does. */
    private void tagged(String tag, String sql) {
        switch (tag) {
            case "BEGIN", "START TRANSACTION" -> status(TransactionStatus.IN_TRANSACTION);
            case "PREPARE TRANSACTION" -> status(TransactionStatus.IDLE);
            case "COMMIT", "ROLLBACK" -> {
                boolean goesOn = SqlParser.parse(sql, ParserOptions.DEFAULT).stream()
                        .anyMatch(s -> s instanceof Statement.TransactionControl control
                                && (control.chain() || control.verb() == TransactionVerb.ROLLBACK_TO));
                status(goesOn ? TransactionStatus.IN_TRANSACTION : TransactionStatus.IDLE);
            }
            default -> {
                // Changes nothing.
            }
        }
    }

    @Override
    void other(Frame frame) {
        // Notices of the gateway's own statements are nobody's; what the session is told of belongs to the client.
        if (frame.type() == 'A' || frame.type() == 'S') {
            client.tell(frame);
        }
    }

    @Override
    Frame take() {
        if (link().isEmpty()) {
            client.flush();
        }
        return super.take();
    }

    @Override
    public CopySource copyOut(String sql) {
        if (!pipelined) {
            return super.copyOut(sql);
        }
        link().send(messages().runNamed(sql, List.of()).flush().done());
        while (true) {
            Frame frame = take();
            switch (frame.type()) {
                case 'H' -> {
                    return source();
                }
                case 'E' -> throw failed(refused(frame));
                case 'C' -> throw new IllegalArgumentException("not a COPY of this direction: " + sql);
                default -> other(frame);
            }
        }
    }

    @Override
    void copied() {
        if (!pipelined) {
            super.copied();
            return;
        }
        for (int closes = CLOSES / 2; closes > 0; ) {
            Frame frame = take();
            switch (frame.type()) {
                case '3' -> closes--;
                case 'E' -> throw failed(refused(frame));
                default -> other(frame);
            }
        }
    }

    @Override
    public CopySink copyIn(String sql) {
        throw new UnsupportedOperationException("nothing is copied in a client's session");
    }

    /** The session is the client's: it ends with the client's connection. */
    @Override
    public void close() {}
}
