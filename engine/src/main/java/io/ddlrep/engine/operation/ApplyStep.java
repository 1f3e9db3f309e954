package io.ddlrep.engine.operation;

import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.substrate.ReplicatedTable;
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
