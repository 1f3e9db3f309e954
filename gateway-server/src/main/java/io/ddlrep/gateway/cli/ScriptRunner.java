package io.ddlrep.gateway.cli;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.parser.Statement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Runs a script as one operation: one transaction on all nodes, its statements submitted one by one, as Slony-I's EXECUTE
 * SCRIPT does. Used by one thread.
 */
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
     * @param name what the script is called in messages
     * @param text a script as psql reads it, with the data of COPY in it; of psql's own commands {@code \set} and what pg_dump
     *     writes
     * @return how many statements were run
     * @throws DdlrepException 2D000 before anything is run, where the script ends or begins transactions of its own; 42601 for
     *     other commands of psql's; or the engine's
     * @throws NodeException of the statement that failed; everything is rolled back on every node
     */
    int run(String name, String text) {
        boolean conforming =
                client.query("SHOW standard_conforming_strings").get(0).text(0).equals("on");
        ScriptReader reader = new ScriptReader(name, text, conforming);
        List<ScriptReader.Entry> entries = reader.read();
        entries.forEach(e -> refuseTransactions(name, e));
        if (entries.isEmpty()) {
            return 0;
        }
        List<Statement> statements =
                entries.stream().map(ScriptReader.Entry::statement).toList();
        client.execute("BEGIN");
        try {
            for (ScriptReader.Entry entry : entries) {
                run(entry, statements);
            }
            commit();
            return entries.size();
        } finally {
            if (!client.isClosed() && client.transactionStatus() != TransactionStatus.IDLE) {
                rollback();
            }
        }
    }

    private static void refuseTransactions(String name, ScriptReader.Entry entry) {
        if (entry.statement() instanceof Statement.TransactionControl control && !isAllowed(control)) {
            throw new DdlrepException(ServerError.of(
                            "2D000",
                            "ddlrep: " + name + ":" + entry.line() + ": " + control.tag() + " cannot stand in a script")
                    .with(
                            "The whole script is one transaction. Nothing was run.",
                            "Take transaction control out; savepoints are allowed."));
        }
    }

    private static boolean isAllowed(Statement.TransactionControl control) {
        return switch (control.verb()) {
            case SAVEPOINT, RELEASE, ROLLBACK_TO, SET_TRANSACTION -> true;
            case BEGIN, COMMIT, ROLLBACK, PREPARE_TRANSACTION, COMMIT_PREPARED, ROLLBACK_PREPARED -> false;
        };
    }

    private void run(ScriptReader.Entry entry, List<Statement> script) {
        Statement statement = entry.statement();
        OriginCall call = () -> client.execute(statement.text());
        if (entry.data().isPresent()) {
            copy(statement.text(), entry.data().get());
        } else if (statement instanceof Statement.Ddl ddl) {
            session.perform(ddl, script, call);
        } else if (statement instanceof Statement.TransactionControl control) {
            control(control, call);
        } else {
            call.run();
        }
    }

    private void copy(String sql, String data) {
        try (NodeSession.CopySink sink = client.copyIn(sql)) {
            sink.write(data.getBytes(StandardCharsets.UTF_8));
            sink.finish();
        }
    }

    private void control(Statement.TransactionControl control, OriginCall call) {
        switch (control.verb()) {
            case SAVEPOINT -> session.savepoint(savepoint(control), call);
            case ROLLBACK_TO -> session.rollbackTo(savepoint(control), call);
            case RELEASE -> session.release(savepoint(control), call);
            case SET_TRANSACTION -> call.run();
            case BEGIN, COMMIT, ROLLBACK, PREPARE_TRANSACTION, COMMIT_PREPARED, ROLLBACK_PREPARED ->
                throw new IllegalStateException(control.tag() + " was refused before");
        }
    }

    private static String savepoint(Statement.TransactionControl control) {
        return Objects.requireNonNull(control.savepoint());
    }

    private void commit() {
        session.commit(() -> client.execute("COMMIT"));
    }

    private void rollback() {
        session.rollback(() -> client.execute("ROLLBACK"));
    }
}
