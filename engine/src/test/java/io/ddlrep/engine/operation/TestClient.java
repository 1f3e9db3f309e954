package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client that sends SQL as a face does: it parses, and hands DDL and transaction control to the engine. */
final class TestClient implements AutoCloseable {
    private final NodeSession session;
    private final ClientSession engine;
    private final List<Notice> notices = new CopyOnWriteArrayList<>();

    /** Takes the session over. */
    TestClient(DdlEngine engine, NodeSession session, CompanionConnector companions) {
        this.session = session;
        this.engine = engine.open(session, companions, notices::add);
    }

    NodeSession session() {
        return session;
    }

    List<String> notices() {
        return notices.stream().map(Notice::text).toList();
    }

    boolean isOperationOpen() {
        return engine.isOperationOpen();
    }

    /** Each statement on its own; BEGIN and COMMIT may stand among them. */
    void run(String sql) {
        for (Statement statement : parse(sql)) {
            perform(statement, List.of(statement));
        }
    }

    /** All statements as one text: in one transaction, unless it is a single statement. */
    void script(String sql) {
        List<Statement> statements = parse(sql);
        if (statements.size() == 1) {
            run(sql);
            return;
        }
        session.execute("BEGIN");
        try {
            for (Statement statement : statements) {
                perform(statement, statements);
            }
        } catch (RuntimeException e) {
            rollback();
            throw e;
        }
        engine.commit(() -> session.execute("COMMIT"));
    }

    private static List<Statement> parse(String sql) {
        return SqlParser.parse(sql, new ParserOptions(true));
    }

    private void perform(Statement statement, List<Statement> script) {
        String text = statement.text();
        if (statement instanceof Statement.Ddl ddl) {
            if (session.transactionStatus() == TransactionStatus.IDLE) {
                engine.performAutocommit(ddl, OriginStatement.of(() -> session.execute(text), () -> {}));
            } else {
                engine.perform(ddl, script, () -> session.execute(text));
            }
        } else if (statement instanceof Statement.TransactionControl control) {
            control(control);
        } else {
            boolean alone = session.transactionStatus() == TransactionStatus.IDLE;
            try {
                session.execute(text);
            } catch (NodeException e) {
                if (!alone || !e.error().sqlState().equals(ClientSession.MET_BY_CODE)) {
                    throw e;
                }
                engine.performCode(statement, () -> session.execute(text));
            }
        }
    }

    private void control(Statement.TransactionControl control) {
        String text = control.text();
        switch (control.verb()) {
            case COMMIT -> engine.commit(() -> session.execute(text));
            case ROLLBACK -> engine.rollback(() -> session.execute(text));
            case SAVEPOINT -> engine.savepoint(name(control), () -> session.execute(text));
            case ROLLBACK_TO -> engine.rollbackTo(name(control), () -> session.execute(text));
            case RELEASE -> engine.release(name(control), () -> session.execute(text));
            default -> session.execute(text);
        }
    }

    private static String name(Statement.TransactionControl control) {
        return Objects.requireNonNull(control.savepoint());
    }

    /** As a client's cancel request; any thread. */
    void cancel() {
        engine.cancel();
    }

    void rollback() {
        engine.rollback(() -> session.execute("ROLLBACK"));
    }

    /** The error that the client is told for these statements, each sent on its own. */
    ServerError refused(String sql) {
        return error(() -> run(sql));
    }

    /** The error that the client is told. */
    static ServerError error(Runnable task) {
        Throwable thrown = catchThrowable(task::run);
        if (thrown instanceof NodeException node) {
            return node.error();
        }
        if (thrown instanceof DdlrepException own) {
            return own.error();
        }
        throw new AssertionError("not refused by a server or by ddlrep", thrown);
    }

    /** The first value of the first row, in the client's own session. */
    String ask(String sql) {
        List<Row> rows = session.query(sql);
        return rows.isEmpty() ? "" : Objects.requireNonNullElse(rows.get(0).get(0), "");
    }

    @Override
    public void close() {
        session.close();
        engine.close();
    }
}
