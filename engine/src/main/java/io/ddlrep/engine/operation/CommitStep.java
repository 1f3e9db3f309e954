package io.ddlrep.engine.operation;

import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.parser.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps {@code prepare} and {@code commit}, after {@code decide} (see {@link SettleStep}).
 *
 * <pre>
 * client session        companions
 * decide: INSERT decision('commit')
 *                       prepare: PREPARE TRANSACTION (in parallel)
 * commit: COMMIT        -- the decision is durable here, and only here
 *                       commit: COMMIT PREPARED (in parallel)
 * </pre>
 *
 * <p>Crash before the client's COMMIT: no decision row; recovery fences with {@code abort} and rolls prepared
 * transactions back. Crash after it: recovery reads {@code commit} and commits them.
 */
final class CommitStep {
    private static final Logger LOG = LoggerFactory.getLogger(CommitStep.class);

    private final OperationContext context;

    CommitStep(OperationContext context) {
        this.context = context;
    }

    /** A companion that could not finish although the operation is committed. */
    record Unfinished(Companion companion, NodeException reason) {}

    /**
     * Prepares the companions; the decision row is inserted.
     *
     * @param completing SQL for the companions from {@link SettleStep#run}
     */
    void prepare(String completing) {
        List<Runnable> tasks = new ArrayList<>();
        for (Companion companion : context.companions()) {
            // Whoever prepares may commit: a role that the service can become, and that has no rights. It stays the
            // session's role, so that COMMIT PREPARED is one message.
            String prepare = context.preparer(companion.node())
                    .map(role -> "; " + Environment.AS_LOGIN + "SET ROLE " + new ObjectName(null, role).quoted()
                            + "; PREPARE TRANSACTION " + companion.gid().literal())
                    .orElse("");
            tasks.add(() -> companion.link().runBetween("SET CONSTRAINTS ALL IMMEDIATE; ", completing, prepare));
        }
        context.services().fan().all(tasks);
    }

    /**
     * Sends the client's own COMMIT. Where it waits for synchronous standbys, that wait may have been cancelled, with nothing
     * but a warning: a later commit, which waits as well, says that they have it before any replica follows.
     */
    void commitOrigin(OriginCall call) {
        call.run();
        if (context.standbys()) {
            try {
                context.services().substrate().mark();
            } catch (RuntimeException e) {
                LOG.warn("ddlrep: operation {} is committed; whether standbys have it is not known", context.op(), e);
            }
        }
    }

    /** Commits the companions; the operation is committed whatever they answer, and whatever happens to this process. */
    List<Unfinished> commitReplicas() {
        Map<String, Unfinished> unfinished = new ConcurrentHashMap<>();
        List<Runnable> tasks = new ArrayList<>();
        for (Companion companion : context.companions()) {
            // Until it is done, it is not.
            unfinished.put(companion.node(), new Unfinished(companion, notAsked(companion)));
            tasks.add(() -> {
                try {
                    commit(companion);
                    unfinished.remove(companion.node());
                } catch (NodeException e) {
                    unfinished.put(companion.node(), new Unfinished(companion, e));
                }
            });
        }
        try {
            context.services().fan().all(tasks);
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.error("ddlrep: operation {} is committed; its replicas could not all be told", context.op(), e);
        }
        return List.copyOf(unfinished.values());
    }

    private void commit(Companion companion) {
        if (!context.canPrepare(companion.node())) {
            companion.session().execute("COMMIT");
            return;
        }
        String commit = "COMMIT PREPARED " + companion.gid().literal();
        try {
            companion.session().execute(commit);
        } catch (NodeException e) {
            if (!e.sqlState().equals("57014")) {
                throw e;
            }
            // Somebody cancelled it: the transaction is still prepared.
            companion.session().execute(commit);
        }
    }

    private static NodeException notAsked(Companion companion) {
        return new NodeException(companion.node(), ServerError.of("XX000", "ddlrep: it was not told to commit"), null);
    }
}
