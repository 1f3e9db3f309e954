package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.util.List;

/** Sends SQL as a face does: DDL, COMMIT and ROLLBACK through the engine. */
final class Client implements AutoCloseable {
    private final NodeSession session;
    private final ClientSession engine;

    Client(DdlEngine engine, NodeSession session, CompanionConnector companions) {
        this.session = session;
        this.engine = engine.open(session, companions, notice -> {});
    }

    NodeSession session() {
        return session;
    }

    void run(String sql) {
        for (Statement statement : SqlParser.parse(sql, new ParserOptions(true))) {
            String text = statement.text();
            if (statement instanceof Statement.Ddl ddl) {
                if (session.transactionStatus() == TransactionStatus.IDLE) {
                    engine.performAutocommit(ddl, OriginStatement.of(() -> session.execute(text), () -> {}));
                } else {
                    engine.perform(ddl, List.of(ddl), () -> session.execute(text));
                }
            } else if (statement instanceof Statement.TransactionControl control) {
                switch (control.verb()) {
                    case COMMIT -> engine.commit(() -> session.execute(text));
                    case ROLLBACK -> engine.rollback(() -> session.execute(text));
                    default -> session.execute(text);
                }
            } else {
                session.execute(text);
            }
        }
    }

    /** Runs statements of which one must fail, and ends the transaction. */
    ServerError refused(String sql) {
        ServerError error = refusal(() -> run(sql));
        if (session.transactionStatus() != TransactionStatus.IDLE) {
            engine.rollback(() -> session.execute("ROLLBACK"));
        }
        return error;
    }

    /** Runs statements that may fail, and ends the transaction. */
    void attempt(String sql) {
        try {
            run(sql);
        } catch (NodeException | DdlrepException e) {
            if (session.transactionStatus() != TransactionStatus.IDLE) {
                engine.rollback(() -> session.execute("ROLLBACK"));
            }
        }
    }

    static ServerError refusal(Runnable task) {
        Throwable thrown = catchThrowable(task::run);
        if (thrown instanceof NodeException node) {
            return node.error();
        }
        if (thrown instanceof DdlrepException own) {
            return own.error();
        }
        throw new AssertionError("not refused by a server or by ddlrep", thrown);
    }

    @Override
    public void close() {
        engine.close();
        session.close();
    }
}
