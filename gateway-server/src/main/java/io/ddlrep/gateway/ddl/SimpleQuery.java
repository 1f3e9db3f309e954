package io.ddlrep.gateway.ddl;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.gateway.node.ClientWireSession;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.TransactionVerb;

/**
 * Runs the statements of one Query as the server would have run them:
 *
 * <pre>
 *   one statement        as it came; DDL outside a block as one operation
 *   several, no block    an implicit transaction: BEGIN before the first one, COMMIT behind the last one
 *   BEGIN among them     turns the implicit transaction into the client's own, with what went before inside
 *   COMMIT, ROLLBACK     end the implicit transaction with a warning; the next statement begins another one
 *   SAVEPOINT            refused with 25P01, since an implicit transaction is no block
 * </pre>
 *
 * The same where the Query comes behind a pipeline without a Sync: what that has begun ends with the Query. One use, one
 * thread.
 */
final class SimpleQuery {
    private final ClientSession engine;
    private final ClientWireSession origin;
    private final ClientAnswers answers;
    private final Transactions transactions;
    private final Frame query;
    private final ClientText text;

    SimpleQuery(
            ClientSession engine,
            ClientWireSession origin,
            ClientAnswers answers,
            Transactions transactions,
            Frame query,
            ClientText text) {
        this.engine = engine;
        this.origin = origin;
        this.answers = answers;
        this.transactions = transactions;
        this.query = query;
        this.text = text;
    }

    /** Runs it; the client is told of an error, but not yet that the server is ready. */
    void run() {
        answers.completeWaits(true);
        if (text.isSingle() && !transactions.isImplicit()) {
            Statement statement = text.statements().get(0);
            try {
                single(statement);
            } catch (RuntimeException e) {
                answers.failed(e, origin.node(), 0, text.charactersBefore(statement));
            }
            return;
        }
        int before = 0;
        try {
            if (text.statements().isEmpty()) {
                origin.query(query);
            }
            for (Statement statement : text.statements()) {
                // Nothing that comes now can undo that the one before was completed.
                answers.release();
                before = text.charactersBefore(statement);
                step(statement);
            }
            if (transactions.isImplicit()) {
                transactions.end(TransactionVerb.COMMIT);
            }
        } catch (RuntimeException e) {
            answers.failed(e, origin.node(), before, before);
            if (transactions.isImplicit() && !origin.isClosed()) {
                transactions.end(TransactionVerb.ROLLBACK);
            }
        }
    }

    private void single(Statement statement) {
        OriginCall call = () -> origin.query(query);
        if (statement instanceof Statement.TransactionControl control) {
            transactions.control(control, call);
        } else if (!(statement instanceof Statement.Ddl ddl)
                || !ClientText.isDdl(ddl)
                || origin.transactionStatus() == TransactionStatus.FAILED) {
            call.run();
        } else if (origin.transactionStatus() == TransactionStatus.IDLE) {
            engine.performAutocommit(ddl, OriginStatement.of(call, () -> answers.completed(ddl.tag())));
        } else {
            engine.perform(ddl, text.statements(), call);
        }
    }

    private void step(Statement statement) {
        boolean idle = origin.transactionStatus() == TransactionStatus.IDLE;
        OriginCall call = () -> origin.query(text.query(statement));
        if (statement instanceof Statement.TransactionControl control) {
            if (idle && isInTransaction(control.verb())) {
                transactions.begin();
            }
            transactions.control(control, call);
            return;
        }
        if (idle) {
            transactions.begin();
        }
        if (statement instanceof Statement.Ddl ddl && origin.transactionStatus() != TransactionStatus.FAILED) {
            engine.perform(ddl, text.statements(), call);
        } else {
            call.run();
        }
    }

    /** Among several statements these are no longer what they are alone. */
    private static boolean isInTransaction(TransactionVerb verb) {
        return switch (verb) {
            case SET_TRANSACTION, COMMIT_PREPARED, ROLLBACK_PREPARED -> true;
            case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, RELEASE, ROLLBACK_TO, PREPARE_TRANSACTION -> false;
        };
    }
}
