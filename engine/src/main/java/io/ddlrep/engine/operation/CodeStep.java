package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * DDL that code of the client has run on the origin: the replicas run each of its commands, not the code. Rows that it wrote are
 * carried as rows.
 *
 * <p>Crash before, during or after: all transactions are open; the servers roll them back.
 */
final class CodeStep {
    private static final String ENDS_TRANSACTION = "2D000";

    private final OperationContext context;
    /** Statements for the replicas that the code's own commands do not hold. */
    private List<String> rights = List.of();

    CodeStep(OperationContext context) {
        this.context = context;
    }

    /**
     * A command that code has run.
     *
     * @param ddl the command
     * @param path the search_path that it had
     * @param role the role that ran it
     */
    record Command(Statement.Ddl ddl, String path, String role) {}

    /** Lets code run, and notes what it does to the schema. */
    List<Command> run(Runnable code) {
        UnseenChanges unseen = UnseenChanges.before(context);
        context.client().enterCode();
        try {
            code.run();
        } catch (NodeException e) {
            throw e.sqlState().equals(ENDS_TRANSACTION) ? endsTransaction(e) : e;
        }
        // As the replicas read it, which have been told the same.
        ParserOptions options = "off".equals(context.told().get("standard_conforming_strings"))
                ? ParserOptions.ESCAPING
                : ParserOptions.DEFAULT;
        List<Command> commands = new ArrayList<>();
        for (Row row : context.client().endCode()) {
            Statement.Ddl ddl = CodeText.of(context.client().session(), row.text("statement"), options);
            commands.add(new Command(ddl, row.text("search_path"), row.text("role")));
        }
        rights = unseen.after();
        return commands;
    }

    /** The server's words for it, which are right for what the engine has made of the call, say nothing of why. */
    private static RuntimeException endsTransaction(NodeException e) {
        return Errors.of(
                ENDS_TRANSACTION,
                "code that changes replicated tables cannot commit or roll back; rolled back on every node",
                e.error().message(),
                "Leave COMMIT and ROLLBACK out of it, or send its DDL as statements of their own.");
    }

    /** Runs the commands on the replicas, and gives the names in them as the client's session finds them now. */
    List<Resolution> replay(List<Command> commands) {
        NodeSession client = context.client().session();
        List<Resolution> resolutions = new ArrayList<>();
        // The code may have left another one.
        String path = client.query("SELECT pg_catalog.current_setting('search_path') AS path")
                .get(0)
                .text("path");
        for (Command command : commands) {
            client.query("SELECT pg_catalog.set_config('search_path', $1, true)", command.path());
            Resolution now = Resolution.of(client, command.ddl());
            String text = ReplicaForm.of(client, command.ddl(), now);
            resolutions.add(now);
            String role = command.role().equals(context.state().sessionUser()) ? "none" : command.role();
            inCompanions(companion -> {
                Environment.enter(companion, command.path(), role);
                companion.execute(text);
            });
        }
        if (!commands.isEmpty()) {
            client.query("SELECT pg_catalog.set_config('search_path', $1, true)", path);
            String told = Objects.requireNonNull(context.told().get("search_path"));
            String role = Objects.requireNonNull(context.told().get("role"));
            inCompanions(companion -> Environment.enter(companion, told, role));
        }
        rights.forEach(text -> inCompanions(companion -> companion.execute(text)));
        return resolutions;
    }

    private void inCompanions(Consumer<NodeSession> work) {
        List<Runnable> tasks = new ArrayList<>();
        context.companions().forEach(c -> tasks.add(() -> work.accept(c.session())));
        context.services().fan().all(tasks);
    }

    /** Tables whose rows the code may have written in a shape that capture did not know yet. */
    static List<ReplicatedTable> reshaped(Collection<ReplicatedTable> before, Collection<ReplicatedTable> after) {
        return after.stream()
                .filter(now -> before.stream()
                        .noneMatch(old -> old.tableId() == now.tableId() && old.generation() == now.generation()))
                .toList();
    }
}
