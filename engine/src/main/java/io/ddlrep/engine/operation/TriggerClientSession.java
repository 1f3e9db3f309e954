package io.ddlrep.engine.operation;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.Notice;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.parser.DdlRewriter;
import io.ddlrep.parser.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of one client's session. Used by the thread that owns the client's session; {@link #cancel()} by any.
 */
final class TriggerClientSession implements ClientSession {
    private static final String IDLE = SqlResource.text("sql/end_idle_client.sql");

    private final TriggerEngine engine;
    private final Services services;
    private final NodeSession client;
    private final OperationEnd ending;
    private final Map<String, NodeSession> companions = new ConcurrentHashMap<>();
    private final OperationOpener opener;
    private final StatementPlanner planner;
    private final List<String> olderSavepoints = new ArrayList<>();
    private final Cancels cancels = new Cancels();
    private final OutsideOperation outside;
    private volatile @Nullable Operation operation;
    private boolean sawScript;

    TriggerClientSession(
            TriggerEngine engine,
            Services services,
            NodeSession client,
            CompanionConnector connector,
            Consumer<Notice> notices) {
        this.engine = engine;
        this.services = services;
        this.client = client;
        this.ending = new OperationEnd(engine, notices);
        this.planner = new StatementPlanner(engine, services, client);
        this.opener = new OperationOpener(services, client, connector, engine.random(), cancels, companions);
        this.outside = new OutsideOperation(opener, client, ending, cancels);
    }

    @Override
    public boolean isOperationOpen() {
        return operation != null;
    }

    @Override
    public void perform(Statement.Ddl ddl, List<Statement> script, OriginCall call) {
        if (client.transactionStatus() == TransactionStatus.FAILED) {
            call.run(); // the server's own 25P02
            return;
        }
        StatementPlanner.Plan plan = plan(ddl);
        if (plan.concerned().isEmpty() || Maintenance.isMeant(ddl)) {
            call.run();
            return;
        }
        performConcerned(plan, script, Operation.Mode.BLOCK, call);
    }

    @Override
    public void performAutocommit(Statement.Ddl ddl, OriginStatement call) {
        StatementPlanner.Plan plan = plan(ddl);
        if (plan.concerned().isEmpty()) {
            call.run();
            return;
        }
        if (OutsideOperation.isMeant(ddl)) {
            refuse(plan, Operation.Mode.AUTOCOMMIT);
            try {
                outside.run(plan, call);
            } catch (RuntimeException e) {
                cancels.deafen();
                throw e;
            }
            return;
        }
        boolean plainForm = Refusals.hasPlainForm(ddl);
        if (plainForm && plan.planned().resolution().tableRelids().isEmpty()) {
            call.run(); // the server says that there is nothing of that name
            return;
        }
        if (plainForm) {
            plan.planned().resolution().partitionedIndex().ifPresent(index -> {
                throw Errors.partitionedIndex(index);
            });
        }
        try {
            if (plainForm) {
                Statement.Ddl plain = DdlRewriter.withoutConcurrently(ddl);
                performConcerned(
                        plan.of(plain), List.of(plain), Operation.Mode.AUTOCOMMIT, () -> client.execute(plain.text()));
                call.answered();
            } else {
                performConcerned(plan, List.of(ddl), Operation.Mode.AUTOCOMMIT, call);
            }
            if (client.transactionStatus() != TransactionStatus.IDLE) {
                commit(() -> client.execute("COMMIT"));
            }
        } finally {
            // The block is ours: after a failed COMMIT the client is outside a transaction, as in autocommit.
            if (!client.isClosed() && client.transactionStatus() != TransactionStatus.IDLE) {
                client.execute("ROLLBACK");
            }
        }
    }

    @Override
    public void performCode(Statement statement, OriginCall call) {
        performAutocommit(Scopes.codeOf(statement), OriginStatement.of(call, () -> {}));
    }

    private StatementPlanner.Plan plan(Statement.Ddl ddl) {
        try {
            return planner.plan(ddl, operation);
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    private void performConcerned(
            StatementPlanner.Plan first, List<Statement> script, Operation.Mode mode, OriginCall call) {
        StatementPlanner.Plan plan = first;
        Statement.Ddl ddl = plan.planned().ddl();
        refuse(plan, mode);
        try {
            Operation current = operation;
            if (current == null) {
                OperationOpener.Opened opened;
                try {
                    opened = opener.open(new OperationOpener.Opening(plan.concerned(), plan));
                } catch (RuntimeException e) {
                    if (Scopes.isGuarded(ddl) && !client.isClosed()) {
                        call.run(); // it may touch nothing replicated; else the guard refuses it
                        return;
                    }
                    throw e;
                }
                current = new Operation(opened.context());
                operation = current;
                sawScript = false;
                plan = planner.again(plan, current, opened.turn());
            } else {
                refuseOtherPublication(current, plan);
                Environment.follow(current.context(), client, plan.planned().state());
            }
            current.context().ownRowsPossible(plan.planned().state());
            if (Scopes.isCode(ddl)) {
                current.code(ddl, mode, call);
                return;
            }
            List<Statement> ahead = sawScript ? List.of(ddl) : script;
            NamedObjects.check(current.context(), ahead, plan.planned());
            LockPlan locks = planner.locks(current, plan, ahead);
            sawScript |= script.size() > 1;
            current.statement(plan.planned(), locks, mode, call);
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    private void refuse(StatementPlanner.Plan plan, Operation.Mode mode) {
        Refusals.of(plan, services, client.node(), mode).ifPresent(refusal -> {
            throw abort(refusal);
        });
    }

    /** An operation takes the turns of its publications when it opens; another one later could deadlock with its holder. */
    private static void refuseOtherPublication(Operation current, StatementPlanner.Plan plan) {
        List<String> open = current.context().publicationNames();
        for (Group.Publication publication : plan.concerned()) {
            if (!open.contains(publication.name())) {
                throw Errors.notReady(
                        "this transaction changes publication " + String.join(", ", open) + " already, and not "
                                + publication.name(),
                        "The statement concerns " + publication.name() + ".",
                        "Change each publication in a transaction of its own.");
            }
        }
    }

    private RuntimeException abort(DdlrepException refusal) {
        Operation open = operation;
        if (open != null) {
            return failed(refusal);
        }
        Errors.raise(client, refusal.error());
        return refusal;
    }

    /** Everything back as it was, on every node; gives the exception for the client. */
    private RuntimeException failed(RuntimeException failure) {
        cancels.deafen();
        Operation open = operation;
        if (open == null) {
            RuntimeException told = Errors.beforeOperation(failure, client.node());
            Errors.raise(client, errorOf(told));
            return told;
        }
        RuntimeException told =
                Errors.forClient(failure, client.node(), open.context().op());
        open.abortOrigin(errorOf(told));
        open.fail();
        // A lost companion cannot go back to a savepoint, and a lost client cannot ask for it.
        boolean lost = failure instanceof NodeException node && node.isConnectionLost();
        if (lost && open.hasSavepoints() && !client.isClosed()) {
            doom(open, String.valueOf(told.getMessage()));
        } else if (lost || (olderSavepoints.isEmpty() && !open.hasSavepoints())) {
            end(open, String.valueOf(told.getMessage()));
        }
        return told;
    }

    private static ServerError errorOf(RuntimeException failure) {
        if (failure instanceof DdlrepException own) {
            return own.error();
        }
        if (failure instanceof NodeException node) {
            return node.error();
        }
        return ServerError.of("XX000", "ddlrep: " + failure);
    }

    /**
     * Rolls the companions back, but goes on to watch the client's transaction: a ROLLBACK TO one of its own savepoints would
     * make it sound again, with the part of the operation before the savepoint in it.
     */
    private void doom(Operation open, String result) {
        open.doom();
        ending.rolledBack(open.context(), result);
    }

    /** Rolls the companions back and closes the operation. */
    private void end(Operation open, String result) {
        operation = null;
        if (open.isDoomed()) {
            return;
        }
        if (open.isCommitSent()) {
            ending.unknown(open.context(), result);
        } else {
            ending.rolledBack(open.context(), result);
        }
    }

    @Override
    public void commit(OriginCall call) {
        Operation open = operation;
        if (open == null) {
            olderSavepoints.clear();
            call.run();
            return;
        }
        if (open.isFailed() || client.transactionStatus() != TransactionStatus.IN_TRANSACTION) {
            rollback(call); // the server answers ROLLBACK
            return;
        }
        List<CommitStep.Unfinished> unfinished;
        try {
            unfinished = open.commit(() -> {
                // A companion that misses the client's COMMIT is missing for good.
                cancels.deafen();
                call.run();
            });
        } catch (RuntimeException e) {
            throw afterFailedCommit(open, e);
        }
        committed(open, unfinished);
    }

    /** COMMIT failed, or its answer was lost: the decision row says what became of it. */
    private RuntimeException afterFailedCommit(Operation open, RuntimeException failure) {
        cancels.deafen();
        OperationContext context = open.context();
        RuntimeException told = Errors.forClient(failure, client.node(), context.op());
        boolean ended = rolledBack(open, told);
        if (open.isCommitSent()) {
            Optional<Boolean> committed = ending.decision(context);
            if (committed.isEmpty()) {
                operation = null;
                return unknown(context, failure);
            }
            if (committed.get()) {
                committed(open, new CommitStep(context).commitReplicas());
                return Errors.of(
                        "08007",
                        "the connection was lost, but operation " + context.op() + " is committed on every node",
                        String.valueOf(failure.getMessage()),
                        "Connect again; nothing has to be repeated.");
            }
            open.commitFailed();
        }
        olderSavepoints.clear();
        end(open, ended ? String.valueOf(told.getMessage()) : "the client's connection was lost before its COMMIT");
        return ended ? told : failure;
    }

    /**
     * Ends the client's transaction, as a failed COMMIT does, so that no savepoint of it is left to go back to.
     *
     * @return whether the server said so; false when the client's own session is lost, whatever became of its COMMIT
     */
    private boolean rolledBack(Operation open, RuntimeException told) {
        if (client.isClosed()) {
            return false;
        }
        open.abortOrigin(errorOf(told));
        // Twice: the first may meet a cancel that was on its way.
        for (int left = 2; left > 0 && !client.isClosed(); left--) {
            try {
                if (client.transactionStatus() != TransactionStatus.IDLE) {
                    client.execute("ROLLBACK");
                }
                return true;
            } catch (NodeException e) {
                engine.warn(
                        "ROLLBACK after a failed COMMIT of operation "
                                + open.context().op(),
                        e);
            }
        }
        return false;
    }

    private static RuntimeException unknown(OperationContext context, RuntimeException failure) {
        return Errors.of(
                "08007",
                "the connection was lost during COMMIT; whether operation " + context.op()
                        + " is committed stands in ddlrep.decision on the origin",
                String.valueOf(failure.getMessage()),
                "When the origin is back, run: ddlrep recover");
    }

    private void committed(Operation open, List<CommitStep.Unfinished> unfinished) {
        operation = null;
        olderSavepoints.clear();
        ending.committed(open.context(), unfinished);
    }

    @Override
    public void rollback(OriginCall call) {
        olderSavepoints.clear();
        Operation open = operation;
        try {
            call.run();
        } finally {
            if (open != null) {
                end(open, "the client rolled back");
            }
        }
    }

    @Override
    public void savepoint(String name, OriginCall call) {
        call.run();
        Operation open = operation;
        if (open == null) {
            olderSavepoints.add(name);
        } else {
            guarded(() -> open.savepoint(name));
        }
    }

    @Override
    public void rollbackTo(String name, OriginCall call) {
        call.run();
        Operation open = operation;
        if (open != null && open.isDoomed() && open.hasSavepoint(name)) {
            throw abortAgain(open, name);
        }
        if (open != null) {
            guarded(() -> {
                if (!open.rollbackTo(name)) {
                    end(open, "the client rolled back to savepoint " + name);
                }
            });
        }
        if (operation == null) {
            int at = olderSavepoints.lastIndexOf(name);
            if (at >= 0) {
                olderSavepoints.subList(at + 1, olderSavepoints.size()).clear();
            }
        }
    }

    @Override
    public void release(String name, OriginCall call) {
        call.run();
        Operation open = operation;
        if (open != null) {
            guarded(() -> open.release(name));
        }
        int at = olderSavepoints.lastIndexOf(name);
        if (at >= 0) {
            olderSavepoints.subList(at, olderSavepoints.size()).clear();
        }
    }

    /** What the client went back to is on no replica any more. */
    private RuntimeException abortAgain(Operation open, String name) {
        DdlrepException refusal = Errors.notReady(
                "operation " + open.context().op() + " was rolled back on the replicas, savepoint " + name
                        + " with it: the transaction can only be rolled back",
                "A node was lost during the operation.",
                "Send ROLLBACK, and run the transaction again when the node is back.");
        open.abortOrigin(refusal.error());
        return refusal;
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            throw failed(e);
        }
    }

    @Override
    public void cancel() {
        cancels.cancel(() -> {
            Operation open = operation;
            if (open != null) {
                open.context().companions().forEach(c -> c.session().cancel());
            }
            outside.cancel();
            client.cancel();
        });
    }

    /** A call of the client's begins, or has ended; tells what can be cancelled. */
    Cancels cancels() {
        return cancels;
    }

    /** How long the client may stay idle now, or null where no operation is open. */
    @Nullable
    Duration idleLimit() {
        Operation open = operation;
        return open == null ? null : open.context().settings().idleLimit();
    }

    /**
     * The client may have been idle for too long. Its backend is ended first, so that its transaction cannot commit alone;
     * the server has mostly done so already, by idle_in_transaction_session_timeout. A client that works, with statements
     * that do not come here, is left alone.
     *
     * @return how long the client may stay idle from now on, or null when the operation has ended
     */
    @Nullable
    Duration expire() {
        Operation open = operation;
        if (open == null) {
            return null;
        }
        Duration limit = open.context().settings().idleLimit();
        try {
            String[] backend = open.context().state().backend().split("/", 2);
            List<Row> found = open.context().service().query(IDLE, backend[0], backend[1], limit.toMillis());
            if (found.stream().allMatch(r -> r.get("ended") == null || r.flag("ended"))) {
                end(open, "the client was idle for longer than ddlrep.idle_limit (25P03)");
                return null;
            }
        } catch (NodeException e) {
            engine.warn("operation " + open.context().op() + " is idle for too long, but could not be ended", e);
        }
        return limit;
    }

    @Override
    public void close() {
        Operation open = operation;
        if (open != null) {
            end(open, "the client closed its session");
        }
        companions.values().forEach(NodeSession::close);
        companions.clear();
    }
}
