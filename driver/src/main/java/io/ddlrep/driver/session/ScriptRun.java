package io.ddlrep.driver.session;

import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.TransactionVerb;
import java.sql.SQLException;
import java.util.List;

/**
 * Runs the statements of one text, or of one batch, one after the other as the server would have run them had they come
 * as one message:
 *
 * <pre>
 *   no block is open     an implicit transaction: BEGIN before the first statement, COMMIT after the last one
 *   BEGIN in it          turns the implicit transaction into the client's own, with what went before inside
 *   COMMIT, ROLLBACK     end the implicit transaction with a warning; the next statement begins another one
 *   SAVEPOINT            refused with 25P01, since an implicit transaction is no block
 * </pre>
 *
 * One use, one thread.
 */
final class ScriptRun {
    private static final String NO_ACTIVE_TRANSACTION = "25P01";

    private final DriverSession session;
    private final PieceRunner runner;
    private final List<Piece> pieces;
    private final List<Statement> statements;
    /** BEGIN was sent by us and nothing of the client's has claimed it. */
    private boolean implicit;

    ScriptRun(DriverSession session, PieceRunner runner, List<Piece> pieces) {
        this.session = session;
        this.runner = runner;
        this.pieces = pieces;
        this.statements = pieces.stream().map(Piece::statement).toList();
    }

    void run() throws SQLException {
        boolean autoCommit = session.isAutoCommit();
        if (!autoCommit) {
            session.begin();
        }
        try {
            for (Piece piece : pieces) {
                if (!autoCommit && session.status() == TransactionStatus.IDLE) {
                    // The script has ended the client's transaction; pgjdbc sends BEGIN before a text, not inside it.
                    session.raw().setAutoCommit(true);
                }
                step(piece);
            }
            if (implicit) {
                end("COMMIT");
            }
        } catch (SQLException e) {
            if (implicit && session.status() != TransactionStatus.IDLE) {
                undo(e);
            }
            throw e;
        } finally {
            if (!autoCommit) {
                session.raw().setAutoCommit(false);
            }
        }
    }

    private void step(Piece piece) throws SQLException {
        try {
            if (piece.statement() instanceof Statement.TransactionControl control) {
                control(control, piece);
                return;
            }
            if (session.status() == TransactionStatus.IDLE) {
                begin();
            }
            if (piece.statement() instanceof Statement.Ddl ddl && session.status() != TransactionStatus.FAILED) {
                session.perform(ddl, statements, () -> runner.run(piece));
            } else {
                runner.run(piece);
            }
        } catch (SQLException e) {
            throw session.sendsWholeTexts() ? Failures.shifted(e, piece.whole().codePointCount(0, piece.offset())) : e;
        }
    }

    private void begin() throws SQLException {
        session.raw().execSQLUpdate("BEGIN");
        implicit = true;
    }

    /** Among several statements these are no longer what they are alone; the first one of a pipeline is. */
    private boolean isInTransaction(TransactionVerb verb) {
        return switch (verb) {
            case SET_TRANSACTION -> true;
            case COMMIT_PREPARED, ROLLBACK_PREPARED -> session.sendsWholeTexts();
            case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE, ROLLBACK_TO, PREPARE_TRANSACTION -> false;
        };
    }

    private void control(Statement.TransactionControl control, Piece piece) throws SQLException {
        if (!implicit && !(session.status() == TransactionStatus.IDLE && isInTransaction(control.verb()))) {
            session.control(control, piece, runner);
            return;
        }
        if (!implicit) {
            begin();
        }
        switch (control.verb()) {
            case BEGIN -> {
                claim(control);
                runner.answered(piece);
            }
            case COMMIT, ROLLBACK -> {
                TransactionVerb verb = control.verb();
                if (control.chain()) {
                    throw onlyInBlock(verb + " AND CHAIN");
                }
                end(verb.tag());
                runner.warn(Failures.warning(NO_ACTIVE_TRANSACTION, "there is no transaction in progress"));
                runner.answered(piece);
            }
            case SAVEPOINT -> throw onlyInBlock("SAVEPOINT");
            case RELEASE -> throw onlyInBlock("RELEASE SAVEPOINT");
            case ROLLBACK_TO -> throw onlyInBlock("ROLLBACK TO SAVEPOINT");
            case PREPARE_TRANSACTION -> throw onlyInBlock("PREPARE TRANSACTION");
            case COMMIT_PREPARED, ROLLBACK_PREPARED, SET_TRANSACTION -> runner.run(piece);
        }
    }

    /** The client's BEGIN makes the transaction its own; its modes come too late or not, as the server judges. */
    private void claim(Statement.TransactionControl begin) throws SQLException {
        String modes = begin.text().replaceFirst("(?is)^(begin(\\s+(work|transaction))?|start\\s+transaction)\\b", "");
        if (!modes.isBlank()) {
            session.raw().execSQLUpdate("SET TRANSACTION " + modes);
        }
        implicit = false;
    }

    private static SQLException onlyInBlock(String what) {
        return Failures.refusal(NO_ACTIVE_TRANSACTION, what + " can only be used in transaction blocks");
    }

    private void end(String word) throws SQLException {
        SqlAction action = () -> session.raw().execSQLUpdate(word);
        if (!session.isOperationOpen()) {
            action.run();
        } else if (word.equals("COMMIT")) {
            session.commit(action);
        } else {
            session.rollback(action);
        }
        implicit = false;
    }

    private void undo(SQLException failure) {
        try {
            end("ROLLBACK");
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
