package io.ddlrep.driver.session;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.jdbc.JdbcNodeSession;
import io.ddlrep.engine.jdbc.SqlErrors;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.TransactionModes;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.TransactionVerb;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Joins one JDBC connection to one client session of the engine, which is opened by the first DDL. Used by the thread
 * that owns the connection, guarded by one lock against a second thread; {@link #cancel()} and {@link #isWorking()} may
 * be called by any thread and take no lock.
 */
public final class DriverSession {
    private static final String AUTOSAVE = "ddlrep_autosave";

    /** The server itself raises it, so that the transaction is aborted as after any other error. */
    private static final String REFUSE_PREPARE =
            "SELECT ddlrep.raise('55000', 'ddlrep: PREPARE TRANSACTION is refused in a transaction with DDL of replicated"
                    + " tables', NULL, 'Commit it, or roll it back.')";

    private final ReentrantLock lock = new ReentrantLock();
    private final BaseConnection raw;
    private final JdbcNodeSession origin;
    private final SessionOpener opener;
    private volatile @Nullable ClientSession client;
    private volatile boolean working;
    private @Nullable Consumer<SQLWarning> listener;

    /**
     * Makes the session.
     *
     * @param raw pgjdbc's connection
     * @param opener how to reach the engine
     */
    public DriverSession(BaseConnection raw, SessionOpener opener) {
        this.raw = raw;
        this.opener = opener;
        this.origin = JdbcNodeSession.borrowing(opener.node(), raw);
    }

    /** Whether an operation is open: then the ends of the transaction must come here. */
    public boolean isOperationOpen() {
        ClientSession open = client;
        return open != null && open.isOperationOpen();
    }

    /** The text with its statements, or null where it holds neither DDL nor transaction control. */
    public @Nullable SqlText parse(String sql) {
        return SqlText.of(sql, new ParserOptions(raw.getStandardConformingStrings()));
    }

    /** Whether this text, in the state that the session is in now, must be run by {@link #run}. */
    public boolean concerns(SqlText text) {
        return (text.ddl() && status() != TransactionStatus.FAILED) || isOperationOpen();
    }

    /**
     * The text of a statement that has met the guard by DDL in its code, and is undone: {@link #run} replicates it.
     *
     * @return null where the failure is another one, or the statement was not alone in its transaction
     */
    public @Nullable SqlText codeOf(String sql, SQLException failure) throws SQLException {
        boolean alone = ClientSession.MET_BY_CODE.equals(failure.getSQLState())
                && isAutoCommit()
                && status() == TransactionStatus.IDLE;
        return alone ? SqlText.ofCode(sql, new ParserOptions(raw.getStandardConformingStrings())) : null;
    }

    /**
     * Runs a text.
     *
     * @param pieces its statements
     * @param runner runs each in the client's session
     * @param timeout the statement's query timeout in seconds, 0 for none
     */
    public void run(List<Piece> pieces, PieceRunner runner, int timeout) throws SQLException {
        lock.lock();
        Consumer<SQLWarning> before = listener;
        listener = runner::warn;
        Deadline deadline = Deadline.in(timeout, opener.timers(), this::cancel);
        try {
            if (pieces.size() == 1) {
                single(pieces.get(0), runner);
            } else {
                new ScriptRun(this, runner, pieces).run();
            }
        } finally {
            deadline.close();
            listener = before;
            lock.unlock();
        }
    }

    private void single(Piece piece, PieceRunner runner) throws SQLException {
        SqlAction action = () -> runner.run(piece);
        if (piece.statement() instanceof Statement.TransactionControl control) {
            control(control, piece, runner);
        } else if (!(piece.statement() instanceof Statement.Ddl ddl)) {
            if (status() == TransactionStatus.IDLE) {
                // With no operation open it came here by codeOf().
                withoutAutosave(() -> engine(engine -> engine.performCode(piece.statement(), call(action))));
            } else {
                action.run();
            }
        } else if (status() == TransactionStatus.FAILED) {
            action.run();
        } else if (isAutoCommit() && status() == TransactionStatus.IDLE) {
            withoutAutosave(() -> engine(engine -> engine.performAutocommit(
                    ddl, OriginStatement.of(call(action), call(() -> runner.answered(piece))))));
        } else {
            begin();
            perform(ddl, List.of(ddl), action);
        }
    }

    /** Runs DDL in the open transaction. */
    void perform(Statement.Ddl ddl, List<Statement> script, SqlAction action) throws SQLException {
        boolean saved = raw.getAutosave() == AutoSave.ALWAYS;
        withoutAutosave(() -> {
            if (!saved) {
                engine(engine -> engine.perform(ddl, script, call(action)));
                return;
            }
            // pgjdbc would save and restore around each message; the savepoint must be one of every node.
            engine(engine -> engine.savepoint(AUTOSAVE, call(() -> raw.execSQLUpdate("SAVEPOINT " + AUTOSAVE))));
            try {
                engine(engine -> engine.perform(ddl, script, call(action)));
            } catch (SQLException e) {
                engine(engine -> engine.rollbackTo(AUTOSAVE, call(() -> raw.execSQLUpdate("ROLLBACK TO " + AUTOSAVE))));
                throw e;
            }
            engine(engine -> engine.release(AUTOSAVE, call(() -> raw.execSQLUpdate("RELEASE " + AUTOSAVE))));
        });
    }

    private void withoutAutosave(SqlAction action) throws SQLException {
        AutoSave autosave = raw.getAutosave();
        raw.setAutosave(AutoSave.NEVER);
        try {
            action.run();
        } finally {
            raw.setAutosave(autosave);
        }
    }

    /** Transaction control that came as SQL text. */
    void control(Statement.TransactionControl control, Piece piece, PieceRunner runner) throws SQLException {
        SqlAction action = () -> runner.run(piece);
        if (!isOperationOpen()) {
            action.run();
            return;
        }
        // pgjdbc would take an abort of ours back to a savepoint of its own, on the origin alone.
        withoutAutosave(() -> controlOperation(control, piece, runner, action));
    }

    private void controlOperation(
            Statement.TransactionControl control, Piece piece, PieceRunner runner, SqlAction action)
            throws SQLException {
        String name = control.savepoint() == null ? "" : control.savepoint();
        switch (control.verb()) {
            case COMMIT, ROLLBACK -> {
                if (control.chain()) {
                    chain(control.verb());
                    runner.answered(piece);
                } else {
                    end(control.verb(), action);
                }
            }
            case SAVEPOINT -> engine(engine -> engine.savepoint(name, call(action)));
            case ROLLBACK_TO -> engine(engine -> engine.rollbackTo(name, call(action)));
            case RELEASE -> engine(engine -> engine.release(name, call(action)));
            case PREPARE_TRANSACTION -> raw.execSQLUpdate(REFUSE_PREPARE);
            case BEGIN, COMMIT_PREPARED, ROLLBACK_PREPARED, SET_TRANSACTION -> action.run();
        }
    }

    /** AND CHAIN is taken apart, since an operation ends with the session outside a transaction. */
    private void chain(TransactionVerb verb) throws SQLException {
        // An aborted transaction does not say what its modes were.
        String next = status() == TransactionStatus.FAILED ? "BEGIN" : "BEGIN " + new TransactionModes(origin).text();
        end(verb, () -> raw.execSQLUpdate(verb.tag()));
        raw.execSQLUpdate(next);
    }

    private void end(TransactionVerb verb, SqlAction action) throws SQLException {
        if (verb == TransactionVerb.COMMIT) {
            engine(engine -> engine.commit(call(action)));
        } else {
            engine(engine -> engine.rollback(call(action)));
        }
    }

    /** {@code Connection.commit()} and COMMIT. */
    public void commit(SqlAction action) throws SQLException {
        locked(() -> engine(engine -> engine.commit(call(action))));
    }

    /** {@code Connection.rollback()} and ROLLBACK. */
    public void rollback(SqlAction action) throws SQLException {
        locked(() -> engine(engine -> engine.rollback(call(action))));
    }

    /** {@code Connection.setSavepoint()}. */
    public void savepoint(String name, SqlAction action) throws SQLException {
        locked(() -> engine(engine -> engine.savepoint(name, call(action))));
    }

    /** {@code Connection.rollback(Savepoint)}. */
    public void rollbackTo(String name, SqlAction action) throws SQLException {
        locked(() -> engine(engine -> engine.rollbackTo(name, call(action))));
    }

    /** {@code Connection.releaseSavepoint(Savepoint)}. */
    public void release(String name, SqlAction action) throws SQLException {
        locked(() -> engine(engine -> engine.release(name, call(action))));
    }

    /** Whether the engine works for this connection at this moment; any thread. */
    public boolean isWorking() {
        return working;
    }

    /** Cancels what the engine does; any thread. */
    public void cancel() {
        ClientSession open = client;
        if (open != null && working) {
            open.cancel();
        }
    }

    /** Rolls an open operation back, on the origin first, and gives the engine back. Never throws. */
    public void close() {
        lock.lock();
        try {
            ClientSession open = client;
            client = null;
            if (open != null) {
                opener.close(open, raw);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether pgjdbc sends a text as one message: the server then counts positions from its beginning. */
    public boolean sendsWholeTexts() {
        return raw.getPreferQueryMode().compareTo(PreferQueryMode.EXTENDED) < 0;
    }

    TransactionStatus status() {
        return origin.transactionStatus();
    }

    boolean isAutoCommit() throws SQLException {
        return raw.getAutoCommit();
    }

    BaseConnection raw() {
        return raw;
    }

    /** Makes pgjdbc begin the transaction that is due with autocommit off, in its own form and at no other cost. */
    void begin() throws SQLException {
        if (status() == TransactionStatus.IDLE) {
            origin.query("SHOW transaction_isolation");
        }
    }

    /** One verb of the engine; its exceptions become JDBC's here and nowhere else. */
    void engine(Consumer<ClientSession> verb) throws SQLException {
        try {
            ClientSession open = client;
            if (open == null) {
                open = opener.open(origin, this::tell);
                client = open;
            }
            working = true;
            verb.accept(open);
        } catch (NodeException e) {
            throw Failures.of(e, origin.node());
        } catch (DdlrepException e) {
            throw Failures.of(e);
        } finally {
            working = false;
        }
    }

    private OriginCall call(SqlAction action) {
        return () -> {
            try {
                action.run();
            } catch (SQLException e) {
                throw SqlErrors.from(origin.node(), e, raw);
            }
        };
    }

    private void locked(SqlAction action) throws SQLException {
        lock.lock();
        try {
            withoutAutosave(action);
        } finally {
            lock.unlock();
        }
    }

    private void tell(Notice notice) {
        SQLWarning warning = Failures.notice(notice.text());
        Consumer<SQLWarning> told = listener;
        if (told == null) {
            ClientWarnings.add(raw, warning);
        } else {
            told.accept(warning);
        }
    }
}
