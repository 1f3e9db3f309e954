package io.ddlrep.gateway.ddl;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionModes;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.gateway.node.ClientWireSession;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.TransactionVerb;
import java.util.Objects;

/**
 * Transaction control of a client's that must reach the replicas too, and the transactions that the server begins by itself
 * for a text or a pipeline of several statements, which the gateway must begin for it. Used by the thread that runs the
 * client's statements.
 */
final class Transactions {
    private static final String NO_ACTIVE_TRANSACTION = "25P01";

    private final ClientSession engine;
    private final ClientWireSession origin;
    private final ClientAnswers answers;
    private boolean implicit;

    Transactions(ClientSession engine, ClientWireSession origin, ClientAnswers answers) {
        this.engine = engine;
        this.origin = origin;
        this.answers = answers;
    }

    /** Whether BEGIN was sent by the gateway, and nothing of the client's has claimed the transaction. */
    boolean isImplicit() {
        return implicit;
    }

    /** Begins a transaction that the server would not call a block. */
    void begin() {
        origin.execute("BEGIN");
        implicit = true;
    }

    /**
     * Runs a command of the client's.
     *
     * @param call sends it as it came
     */
    void control(Statement.TransactionControl control, OriginCall call) {
        if (implicit) {
            outsideBlock(control, call);
        } else if (!engine.isOperationOpen()) {
            call.run();
        } else {
            switch (control.verb()) {
                case COMMIT, ROLLBACK -> {
                    if (control.chain()) {
                        chain(control.verb());
                    } else {
                        end(control.verb(), call);
                    }
                }
                case SAVEPOINT -> engine.savepoint(savepoint(control), call);
                case ROLLBACK_TO -> engine.rollbackTo(savepoint(control), call);
                case RELEASE -> engine.release(savepoint(control), call);
                case PREPARE_TRANSACTION ->
                    origin.update(
                            "SELECT ddlrep.raise('55000', 'ddlrep: PREPARE TRANSACTION is refused in a transaction with"
                                    + " DDL of replicated tables', NULL, 'Commit it, or roll it back.')");
                case BEGIN, COMMIT_PREPARED, ROLLBACK_PREPARED, SET_TRANSACTION -> call.run();
            }
        }
    }

    private static String savepoint(Statement.TransactionControl control) {
        return Objects.requireNonNullElse(control.savepoint(), "");
    }

    /** The client has begun no block, and must not see ours. */
    private void outsideBlock(Statement.TransactionControl control, OriginCall call) {
        switch (control.verb()) {
            case BEGIN -> claim(control);
            case COMMIT, ROLLBACK -> {
                TransactionVerb verb = control.verb();
                if (control.chain()) {
                    throw onlyInBlock(verb + " AND CHAIN");
                }
                end(verb);
                answers.notice("WARNING", NO_ACTIVE_TRANSACTION, "there is no transaction in progress");
                answers.completed(verb.tag());
            }
            case SAVEPOINT -> throw onlyInBlock("SAVEPOINT");
            case RELEASE -> throw onlyInBlock("RELEASE SAVEPOINT");
            case ROLLBACK_TO -> throw onlyInBlock("ROLLBACK TO SAVEPOINT");
            case PREPARE_TRANSACTION -> throw onlyInBlock("PREPARE TRANSACTION");
            case COMMIT_PREPARED, ROLLBACK_PREPARED, SET_TRANSACTION -> call.run();
        }
    }

    /** The client's BEGIN makes the transaction its own; its modes come too late or not, as the server judges. */
    private void claim(Statement.TransactionControl begin) {
        String modes = begin.text().replaceFirst("(?is)^(begin(\\s+(work|transaction))?|start\\s+transaction)\\b", "");
        if (!modes.isBlank()) {
            origin.execute("SET TRANSACTION " + modes);
        }
        implicit = false;
        answers.completed(begin.text().regionMatches(true, 0, "START", 0, 5) ? "START TRANSACTION" : "BEGIN");
    }

    private NodeException onlyInBlock(String what) {
        return new NodeException(
                origin.node(),
                ServerError.of(NO_ACTIVE_TRANSACTION, what + " can only be used in transaction blocks"),
                null);
    }

    /** AND CHAIN is taken apart, since an operation ends with the session outside a transaction. */
    private void chain(TransactionVerb verb) {
        // An aborted transaction does not say what its modes were.
        String next = origin.transactionStatus() == TransactionStatus.FAILED
                ? "BEGIN"
                : "BEGIN " + new TransactionModes(origin).text();
        String tag = verb == TransactionVerb.COMMIT && origin.transactionStatus() != TransactionStatus.FAILED
                ? "COMMIT"
                : "ROLLBACK";
        end(verb);
        origin.execute(next);
        answers.completed(tag);
    }

    /** Ends the transaction on every node, without a word to the client. */
    void end(TransactionVerb verb) {
        end(verb, () -> origin.execute(verb.tag()));
    }

    private void end(TransactionVerb verb, OriginCall call) {
        implicit = false;
        if (!engine.isOperationOpen()) {
            call.run();
        } else if (verb == TransactionVerb.COMMIT) {
            engine.commit(call);
        } else {
            engine.rollback(call);
        }
    }
}
