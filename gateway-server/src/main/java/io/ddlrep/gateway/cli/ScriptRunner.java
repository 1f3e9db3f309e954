package io.ddlrep.gateway.cli;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Objects;

/** Runs a script statement by statement, as psql would with ON_ERROR_STOP. Used by one thread. */
final class ScriptRunner {
    private final NodeSession client;
    private final ClientSession session;

    ScriptRunner(NodeSession client, ClientSession session) {
        this.client = client;
        this.session = session;
    }

    /**
     * Runs the script.
     *
     * @return how many statements were run
     * @throws NodeException or DdlrepException of the statement that failed; a transaction that was open is rolled back
     */
    int run(String text) {
        boolean conforming =
                client.query("SHOW standard_conforming_strings").get(0).text(0).equals("on");
        List<Statement> statements = SqlParser.parse(text, new ParserOptions(conforming));
        try {
            for (Statement statement : statements) {
                run(statement);
            }
            if (client.transactionStatus() != TransactionStatus.IDLE) {
                rollback();
                throw new IllegalStateException("the script ends inside a transaction, which was rolled back");
            }
            return statements.size();
        } catch (NodeException e) {
            rollback();
            throw e;
        }
    }

    private void run(Statement statement) {
        OriginCall call = () -> client.execute(statement.text());
        if (statement instanceof Statement.Ddl ddl) {
            if (client.transactionStatus() == TransactionStatus.IDLE) {
                session.performAutocommit(ddl, call);
            } else {
                session.perform(ddl, List.of(ddl), call);
            }
        } else if (statement instanceof Statement.TransactionControl control && session.isOperationOpen()) {
            control(control, call);
        } else {
            call.run();
        }
    }

    private void control(Statement.TransactionControl control, OriginCall call) {
        switch (control.verb()) {
            case COMMIT -> session.commit(call);
            case ROLLBACK -> session.rollback(call);
            case SAVEPOINT -> session.savepoint(savepoint(control), call);
            case ROLLBACK_TO -> session.rollbackTo(savepoint(control), call);
            case RELEASE -> session.release(savepoint(control), call);
            case BEGIN, PREPARE_TRANSACTION, COMMIT_PREPARED, ROLLBACK_PREPARED, SET_TRANSACTION -> call.run();
        }
    }

    private static String savepoint(Statement.TransactionControl control) {
        return Objects.requireNonNull(control.savepoint());
    }

    private void rollback() {
        if (client.transactionStatus() == TransactionStatus.IDLE || client.isClosed()) {
            return;
        }
        OriginCall call = () -> client.execute("ROLLBACK");
        if (session.isOperationOpen()) {
            session.rollback(call);
        } else {
            call.run();
        }
    }
}
