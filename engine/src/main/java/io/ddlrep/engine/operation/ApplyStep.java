package io.ddlrep.engine.operation;

import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Secrets;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Steps {@code unhook} and {@code apply}: the statement itself, on the origin in the client's session, on the replicas in
 * the companions.
 *
 * <p>Crash before, during or after: all transactions are open; the servers roll them back.
 */
final class ApplyStep {
    private final OperationContext context;

    ApplyStep(OperationContext context) {
        this.context = context;
    }

    /** Drops what of ours stands in the statement's way on the origin. */
    void unhook(Collection<ReplicatedTable> tables) {
        if (!tables.isEmpty()) {
            context.client().run(context.services().substrate().unhook(tables));
        }
    }

    /** Takes from roles that are about to be dropped what of ours would keep them. */
    void release(Collection<String> roles) {
        if (roles.isEmpty()) {
            return;
        }
        String sql = context.services().substrate().release(roles);
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(() -> context.client().run(sql));
        context.companions().forEach(c -> tasks.add(() -> c.link().run(sql)));
        context.services().fan().all(tasks);
    }

    /** Runs the statement everywhere at once. */
    void everywhere(String text, OriginCall call) {
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(call::run);
        tasks.addAll(in(context.companions(), text));
        context.services().fan().all(tasks);
    }

    /** Runs a statement about objects of whole servers: once in each, however many nodes it has. */
    void oncePerServer(String text, OriginCall call) {
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(call::run);
        tasks.addAll(in(context.companionsOnOtherServers(), text));
        context.services().fan().all(tasks);
    }

    /**
     * The same for a statement that sets the password of a role. Each server would keep it with a salt of its own; but a gateway
     * logs in on all of them by what the client has proved to one, and that needs the same salt.
     */
    void passwordOnEachServer(Statement.Ddl ddl, ClientState state, OriginCall call) {
        call.run();
        String role = ddl.objects().stream()
                .filter(o -> o.kind() == ObjectKind.ROLE && o.role() != ObjectRole.REFERENCED)
                .map(o -> o.name().name())
                .findFirst()
                .orElse("");
        String verifier = context.client()
                .roleVerifier(
                        switch (role) {
                            case "current_user", "current_role" -> state.role();
                            case "session_user" -> state.sessionUser();
                            default -> role;
                        });
        String text = verifier == null ? ddl.text() : Secrets.withPassword(ddl, verifier);
        context.services().fan().all(in(context.companionsOnOtherServers(), text));
    }

    /** Runs the statement on the origin. */
    void origin(OriginCall call) {
        call.run();
    }

    /** Runs the statement on the replicas. */
    void replicas(String text) {
        context.services().fan().all(in(context.companions(), text));
    }

    private static List<Runnable> in(List<Companion> companions, String text) {
        List<Runnable> tasks = new ArrayList<>();
        for (Companion companion : companions) {
            tasks.add(() -> {
                try {
                    companion.session().execute(text);
                } catch (NodeException e) {
                    throw lockMiss(companion, e);
                }
            });
        }
        return tasks;
    }

    private static NodeException lockMiss(Companion companion, NodeException e) {
        if (!e.sqlState().equals("55P03")) {
            return e;
        }
        return new NodeException(
                companion.node(),
                e.error()
                        .with(e.error().detail(), "The statement waited for a lock until ddlrep.lock_wait had passed."),
                e);
    }
}
