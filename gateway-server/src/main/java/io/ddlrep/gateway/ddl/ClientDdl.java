package io.ddlrep.gateway.ddl;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.gateway.node.ClientWireSession;
import io.ddlrep.gateway.node.ToClient;
import io.ddlrep.gateway.node.WireLink;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.TransactionVerb;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins one client of the gateway to one client session of the engine, which its first DDL opens. Each method runs one message
 * of the client's that the event loop has held back; one thread at a time, never one of an event loop. {@link #cancel()} and
 * {@link #isOperationOpen()} may be called by any.
 */
public final class ClientDdl {
    private static final Logger LOG = LoggerFactory.getLogger(ClientDdl.class);
    private static final String UNKNOWN_ORIGIN = "origin";

    private final OriginEngine engines;
    private final DdlGate gate;
    private final DdlGate.Waiter waiter = new DdlGate.Waiter();
    private final CompanionConnector companions;
    private final Runnable canceller;
    private final ClientAnswers answers;
    private @Nullable ClientWireSession origin;
    private volatile @Nullable Joined client;

    /**
     * How the client's session is lent to a thread. Immutable.
     *
     * @param link reads its connection
     * @param status of its transaction: {@code I}, {@code T} or {@code E}
     * @param pipelined whether it stands between two messages of the extended protocol
     * @param skipping whether the origin skips messages up to a Sync
     */
    public record Lending(WireLink link, byte status, boolean pipelined, boolean skipping) {}

    /** The engine's side of the session, with whose transaction it is. */
    private record Joined(ClientSession engine, Transactions transactions) {}

    /** What became of a message, for the event loop. */
    public enum Outcome {
        /** It was answered. */
        DONE,
        /** It failed: the client's messages up to its Sync are to be dropped. */
        FAILED,
        /** The session cannot go on. */
        LOST
    }

    /**
     * For one client.
     *
     * @param engines the group's engine
     * @param gate lets operations begin
     * @param companions opens sessions on other nodes as the client
     * @param canceller asks the origin to cancel what runs in the client's session
     * @param toClient the client
     */
    public ClientDdl(
            OriginEngine engines, DdlGate gate, CompanionConnector companions, Runnable canceller, ToClient toClient) {
        this.engines = engines;
        this.gate = gate;
        this.companions = companions;
        this.canceller = canceller;
        this.answers = new ClientAnswers(toClient);
    }

    /** Whether an operation is open: then the ends of the transaction must come here. */
    public boolean isOperationOpen() {
        Joined open = client;
        return open != null && open.engine().isOperationOpen();
    }

    /** Whether the pipeline's transaction is one that was begun for it. */
    public boolean isImplicit() {
        Joined open = client;
        return open != null && open.transactions().isImplicit();
    }

    /** What ReadyForQuery said last in a session that was lent. */
    public byte status() {
        ClientWireSession session = origin;
        return session == null ? (byte) 'I' : session.status();
    }

    private ClientWireSession lend(Lending lending, String node) {
        ClientWireSession session = origin;
        if (session == null || !session.node().equals(node)) {
            session = new ClientWireSession(node, lending.link(), canceller, answers);
            origin = session;
        }
        session.lend(lending.link(), lending.status(), lending.pipelined(), lending.skipping());
        return session;
    }

    /** The engine's side of this session; empty where the origin is in no group. */
    private Optional<Joined> session(Lending lending) {
        Joined open = client;
        ClientWireSession known = origin;
        if (open != null && known != null) {
            lend(lending, known.node());
            return Optional.of(open);
        }
        Optional<DdlEngine> engine = engines.get();
        if (engine.isEmpty()) {
            lend(lending, UNKNOWN_ORIGIN);
            return Optional.empty();
        }
        ClientWireSession session = lend(lending, engine.get().group().self());
        ClientSession opened = engine.get().open(session, companions, this::tell);
        Joined joined = new Joined(opened, new Transactions(opened, session, answers));
        client = joined;
        return Optional.of(joined);
    }

    private void tell(Notice notice) {
        answers.notice("NOTICE", "00000", notice.text());
    }

    private void awaitTurn() {
        if (!isOperationOpen()) {
            gate.pass(waiter, origin == null ? UNKNOWN_ORIGIN : lent().node());
        }
    }

    /** Runs a Query; the client is told when the server is ready for the next one. */
    public Outcome query(Lending lending, Frame query, ClientText text) {
        try {
            awaitTurn();
            Optional<Joined> joined = session(lending);
            ClientWireSession session = lent();
            if (joined.isEmpty()) {
                answers.completeWaits(false);
                return inQuery(session, 0, () -> session.query(query));
            }
            Joined open = joined.get();
            new SimpleQuery(open.engine(), session, answers, open.transactions(), query, text).run();
            return ready(session);
        } catch (RuntimeException e) {
            return unexpected(lending, e);
        }
    }

    private Outcome inQuery(ClientWireSession session, int charactersBefore, OriginCall work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            answers.failed(e, session.node(), 0, charactersBefore);
        }
        return ready(session);
    }

    private Outcome ready(ClientWireSession session) {
        if (session.isClosed()) {
            answers.flush();
            return Outcome.LOST;
        }
        answers.ready(session.status());
        return Outcome.DONE;
    }

    /** The engine cannot be reached, or worse. The client's session is where it was. */
    private Outcome unexpected(Lending lending, RuntimeException failure) {
        LOG.warn("DDL of a client failed", failure);
        ClientWireSession session = lend(lending, origin == null ? UNKNOWN_ORIGIN : lent().node());
        answers.failed(failure, "", 0, 0);
        if (session.isClosed()) {
            answers.flush();
            return Outcome.LOST;
        }
        if (session.transactionStatus() == TransactionStatus.IN_TRANSACTION) {
            // As after any error of a statement.
            try {
                session.execute(
                        "DO LANGUAGE plpgsql $ddlrep$BEGIN RAISE EXCEPTION 'ddlrep: the statement before failed';"
                                + " END$ddlrep$");
            } catch (RuntimeException expected) {
                LOG.debug("aborted", expected);
            }
        }
        if (lending.pipelined()) {
            answers.flush();
            return Outcome.FAILED;
        }
        return ready(session);
    }

    /**
     * Runs an Execute of DDL, or of transaction control while an operation is open.
     *
     * @param alone nothing was run before it in its pipeline, and nothing shares its transaction
     * @param bind how its portal was bound, where it is DDL that runs in no transaction block; else null
     */
    public Outcome execute(Lending lending, Frame execute, Statement statement, boolean alone, @Nullable Frame bind) {
        answers.completeWaits(false);
        try {
            if (statement instanceof Statement.Ddl) {
                awaitTurn();
            }
            Optional<Joined> joined = session(lending);
            ClientWireSession session = lent();
            boolean anew = bind != null && alone && session.transactionStatus() == TransactionStatus.IDLE;
            OriginCall call = () -> {
                if (bind != null && anew) {
                    session.executeAnew(bind, execute, statement.text());
                } else {
                    session.execute(execute, statement.text());
                }
            };
            return inPipeline(session, () -> {
                if (joined.isEmpty()) {
                    call.run();
                } else if (statement instanceof Statement.TransactionControl control) {
                    joined.get().transactions().control(control, call);
                } else if (bind != null && !alone && session.transactionStatus() == TransactionStatus.IDLE) {
                    call.run(); // the server's own 25001
                } else if (statement instanceof Statement.Ddl ddl) {
                    ddl(joined.get(), session, ddl, alone, call);
                } else {
                    call.run();
                }
            });
        } catch (RuntimeException e) {
            return unexpected(lending, e);
        }
    }

    private Outcome inPipeline(ClientWireSession session, OriginCall work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            answers.failed(e, session.node(), 0, 0);
            answers.done();
            return session.isClosed() ? Outcome.LOST : Outcome.FAILED;
        }
        answers.done();
        return Outcome.DONE;
    }

    /** Runs once more, as an operation, a statement whose code has met the guard. */
    public Outcome code(Lending lending, CodeRun run) {
        answers.completeWaits(!run.isPipelined());
        try {
            awaitTurn();
            Optional<Joined> joined = session(lending);
            ClientWireSession session = lent();
            OriginCall work = () -> {
                OriginCall call = () -> run.run(session);
                if (joined.isEmpty()) {
                    call.run();
                } else {
                    joined.get().engine().performCode(run.statement(session), call);
                }
            };
            return run.isPipelined() ? inPipeline(session, work) : inQuery(session, run.charactersBefore(), work);
        } catch (RuntimeException e) {
            return unexpected(lending, e);
        }
    }

    private void ddl(Joined joined, ClientWireSession session, Statement.Ddl ddl, boolean alone, OriginCall call) {
        boolean idle = session.transactionStatus() == TransactionStatus.IDLE;
        if (idle && alone) {
            joined.engine().performAutocommit(ddl, OriginStatement.of(call, () -> answers.completed(ddl.tag())));
        } else {
            if (idle) {
                joined.transactions().begin();
            }
            joined.engine().perform(ddl, List.of(ddl), call);
        }
    }

    /**
     * The pipeline ends in which this has begun the transaction.
     *
     * @param commit whether nothing in it failed
     */
    public Outcome sync(Lending lending, boolean commit) {
        answers.completeWaits(false);
        TransactionVerb verb = commit ? TransactionVerb.COMMIT : TransactionVerb.ROLLBACK;
        try {
            Optional<Joined> joined = session(lending);
            ClientWireSession session = lent();
            try {
                if (joined.isPresent()) {
                    joined.get().transactions().end(verb);
                }
            } catch (RuntimeException e) {
                answers.failed(e, session.node(), 0, 0);
                if (!session.isClosed() && session.transactionStatus() != TransactionStatus.IDLE) {
                    session.execute("ROLLBACK");
                }
            }
            answers.done();
            return session.isClosed() ? Outcome.LOST : Outcome.DONE;
        } catch (RuntimeException e) {
            return unexpected(lending, e);
        }
    }

    /** The client leaves: rolls an open operation back, on the origin first, and gives the engine back. */
    public void abandon(@Nullable Lending lending) {
        Joined joined = client;
        client = null;
        if (joined == null) {
            return;
        }
        ClientSession open = joined.engine();
        try {
            if (lending != null && open.isOperationOpen()) {
                ClientWireSession session = lent();
                session.lend(lending.link(), lending.status(), lending.pipelined(), lending.skipping());
                open.rollback(() -> session.execute("ROLLBACK"));
            }
        } catch (RuntimeException e) {
            LOG.debug("ROLLBACK for a client that left", e);
        }
        open.close();
    }

    private ClientWireSession lent() {
        ClientWireSession session = origin;
        if (session == null) {
            throw new IllegalStateException("the session was not lent");
        }
        return session;
    }

    /** Cancels what runs for the client, on any node; may wait for the network. */
    public void cancel() {
        if (gate.cancel(waiter)) {
            return;
        }
        Joined open = client;
        if (open != null) {
            open.engine().cancel();
        } else {
            canceller.run();
        }
    }
}
