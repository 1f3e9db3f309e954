package io.ddlrep.engine.operation;

import io.ddlrep.engine.Durations;
import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Secrets;
import io.ddlrep.parser.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One DDL operation, from its first replicated DDL statement to the client's COMMIT or ROLLBACK. The steps stand in classes
 * of their own; this one is their order. Owned by the thread that owns the client's session.
 */
final class Operation {
    private final OperationContext context;
    private final ApplyStep apply;
    private final DrainStep drain;
    private final RefreshStep refresh;
    private final Deque<Saved> savepoints = new ArrayDeque<>();
    private boolean failed;
    private boolean doomed;
    private boolean commitSent;
    private boolean marked;

    /** What a ROLLBACK TO gives back. */
    private record Saved(String name, long watermark, GroupTables tables, int statements, Map<String, String> told) {}

    /** A statement with what the origin's catalogs say about it. */
    record Planned(Statement.Ddl ddl, Resolution resolution, List<ReplicatedTable> touched, ClientState state) {}

    Operation(OperationContext context) {
        this.context = context;
        this.apply = new ApplyStep(context);
        this.drain = new DrainStep(context);
        this.refresh = new RefreshStep(context);
    }

    OperationContext context() {
        return context;
    }

    boolean isFailed() {
        return failed;
    }

    boolean hasSavepoints() {
        return !savepoints.isEmpty();
    }

    void fail() {
        failed = true;
    }

    /**
     * Whether the replicas have let go of everything while the client's transaction may still go back to a savepoint of its
     * own: nothing but a ROLLBACK, or a return to before the operation, may come of it any more.
     */
    boolean isDoomed() {
        return doomed;
    }

    void doom() {
        failed = true;
        doomed = true;
    }

    /** Whether the client's COMMIT was sent, so that only the decision row says what became of it. */
    boolean isCommitSent() {
        return commitSent;
    }

    /** The server said that the client's transaction is rolled back. */
    void commitFailed() {
        commitSent = false;
    }

    boolean hasSavepoint(String name) {
        return find(name) != null;
    }

    /** Runs one statement on all nodes. */
    void statement(Planned planned, LockPlan locks, Mode mode, OriginCall call) {
        Statement.Ddl ddl = planned.ddl();
        ValuePolicy.Values values = ValuePolicy.of(context.client().session(), ddl);
        boolean originOnly = values == ValuePolicy.Values.ON_ORIGIN;
        Optional<ConstantDefaults> constants = values == ValuePolicy.Values.OF_ORIGIN
                ? ConstantDefaults.of(context.client().session(), ddl, planned.resolution())
                : Optional.empty();
        context.addStatement(ddl);
        marked = true;
        boolean own = context.settings().changeTableLock() && !locks.isEmpty();
        if (own) {
            new LockStep(context, locks, entry(mode)).run();
        } else {
            entry(mode).enter(context.client());
        }
        List<ReplicatedTable> changed = LockPlanner.changed(ddl, planned.resolution(), planned.touched());
        if (meetsCapture(ddl)) {
            apply.unhook(changed);
        }
        apply.release(droppedRoles(ddl));
        if (Secrets.setsPassword(ddl)) {
            apply.passwordOnEachServer(ddl, planned.state(), call);
        } else if (Scopes.isOfTheServer(ddl)) {
            apply.oncePerServer(ddl.text(), call);
        } else if (!locks.complete() || originOnly || constants.isPresent() || (!own && !changed.isEmpty())) {
            apply.origin(call);
            context.locked();
            changed = locks.complete() ? changed : withReached(changed);
            if (originOnly) {
                empty(changed);
            }
            drain.run();
            drain.carry();
            Optional<String> constant =
                    constants.flatMap(c -> c.forReplicas(context.client().session()));
            values = constant.isPresent() ? ValuePolicy.Values.SAME : values;
            apply.replicas(
                    constant.orElseGet(() -> ReplicaForm.of(context.client().session(), ddl, now(planned))));
        } else if (ReplicaForm.isDerived(ddl)) {
            apply.origin(call);
            apply.replicas(ReplicaForm.of(context.client().session(), ddl, now(planned)));
        } else {
            apply.everywhere(ReplicaForm.asSent(ddl), call);
        }
        Resolution now = now(planned);
        List<ReplicatedTable> after = refresh.run(changed, joining(ddl), relationNames(now));
        noteSequences(ddl, now, after);
        if (MaterializedRows.isFilled(ddl)) {
            MaterializedRows.compare(context, filled(planned.resolution(), now));
        }
        if (values != ValuePolicy.Values.SAME) {
            reimage(after);
        }
        if (mode == Mode.BLOCK) {
            leave();
        }
    }

    /** Runs code of the client's: the origin goes first, with what locks it takes itself; the replicas get what it did. */
    void code(Statement.Ddl ddl, Mode mode, OriginCall call) {
        context.addStatement(ddl);
        marked = true;
        entry(mode).enter(context.client());
        CodeStep code = new CodeStep(context);
        List<CodeStep.Command> commands = code.run(call::run);
        context.locked();
        context.ownRowsPossible(); // of the code
        List<ReplicatedTable> changed = withReached(List.of());
        boolean wrote = drain.hasOwnRows();
        drain.run();
        drain.carry();
        boolean all = computes(commands) || wrote;
        List<Resolution> named = code.replay(commands);
        Set<String> names = new LinkedHashSet<>();
        named.forEach(n -> names.addAll(relationNames(n)));
        List<ReplicatedTable> after = refresh.run(changed, RefreshStep.Joining.OF_CODE, names);
        for (int i = 0; i < commands.size(); i++) {
            Statement.Ddl command = commands.get(i).ddl();
            noteSequences(command, named.get(i), after);
            if (MaterializedRows.isFilled(command)) {
                MaterializedRows.compare(context, filled(null, named.get(i)));
            }
        }
        List<ReplicatedTable> reshaped = CodeStep.reshaped(changed, after).stream()
                .filter(t -> all || changed.stream().noneMatch(old -> old.tableId() == t.tableId()))
                .toList();
        if (!reshaped.isEmpty()) {
            reimage(reshaped);
        }
        if (mode == Mode.BLOCK) {
            leave();
        }
    }

    /** What the statement's names mean in the client's session now. */
    private Resolution now(Planned planned) {
        return Resolution.mayMove(planned.ddl())
                ? Resolution.of(context.client().session(), planned.ddl())
                : planned.resolution();
    }

    private static List<String> droppedRoles(Statement.Ddl ddl) {
        return ddl.objects().stream()
                .filter(o -> o.kind() == ObjectKind.ROLE && o.role() == ObjectRole.DROPPED)
                .map(o -> o.name().name())
                .toList();
    }

    /** The tables that the statement was known to change, and those that it turned out to reach, as by CASCADE. */
    private List<ReplicatedTable> withReached(List<ReplicatedTable> known) {
        List<ReplicatedTable> all = new ArrayList<>(known);
        for (ReplicatedTable reached :
                context.tables().lockedBy(context.service(), context.state().pid())) {
            if (!context.publicationNames().contains(reached.publication())) {
                throw Errors.unsupported(
                        "the statement reaches table " + reached.quoted() + " of publication " + reached.publication()
                                + ", which this operation does not hold",
                        "Change that table in a statement of its own before.");
            }
            if (all.stream().noneMatch(t -> t.tableId() == reached.tableId())) {
                all.add(reached);
            }
        }
        return all;
    }

    /** In whose transaction block a statement runs. */
    enum Mode {
        /** The client's: it goes on with statements of its own. */
        BLOCK,
        /** One that the engine opens for an autocommit statement, and commits at once. */
        AUTOCOMMIT
    }

    private Entry entry(Mode mode) {
        long budget = Math.max(1, context.lockBudget().toMillis());
        return new Entry(mode == Mode.AUTOCOMMIT, (int) Math.min(Integer.MAX_VALUE, budget));
    }

    private void leave() {
        marked = false;
        ClientState state = context.state();
        long idle = idleMillis(state);
        context.client()
                .session()
                .update(
                        "SET LOCAL ddlrep.marker = ''; SELECT ddlrep.timeouts($1, $2);"
                                + " SELECT pg_catalog.set_config('idle_in_transaction_session_timeout', $3, true),"
                                + " pg_catalog.set_config('jit', $4, true)",
                        state.lockTimeout(),
                        state.deadlockTimeout(),
                        Long.toString(idle),
                        state.jit());
        context.ownRowsPossible();
    }

    /**
     * Whether a capture trigger may stand in the statement's way. Dropping one takes ACCESS EXCLUSIVE, so that statements
     * which leave columns and partitions alone, such as CREATE INDEX, go without it and let readers pass. Nor is a new column
     * in the way of a trigger.
     */
    private static boolean meetsCapture(Statement.Ddl ddl) {
        return !ddl.complete()
                || (ddl.facts().contains(DdlFact.ROW_SHAPE) && !onlyAddsColumns(ddl))
                || ddl.facts().contains(DdlFact.COLUMN_TYPE)
                || ddl.facts().contains(DdlFact.PARTITION_CHANGE)
                || ddl.facts().contains(DdlFact.CASCADE);
    }

    private static boolean onlyAddsColumns(Statement.Ddl ddl) {
        return ddl.objects().stream()
                .filter(o -> o.kind() == ObjectKind.COLUMN)
                .allMatch(o -> o.role() == ObjectRole.CREATED);
    }

    /** The shorter of ddlrep.idle_limit and the client's own limit, which is off at 0. */
    private long idleMillis(ClientState state) {
        long limit = context.settings().idleLimit().toMillis();
        long own = Durations.parse(state.idleTimeout()).toMillis();
        return own == 0 ? limit : Math.min(own, limit);
    }

    private static RefreshStep.Joining joining(Statement.Ddl ddl) {
        boolean mayMakeTables = !ddl.complete()
                || ddl.tag().equals("CREATE SCHEMA")
                || ddl.tag().equals("CREATE EXTENSION")
                || ddl.facts().contains(DdlFact.PARTITION_CHANGE)
                || ddl.objects().stream().anyMatch(o -> o.kind() == ObjectKind.TABLE && o.role() == ObjectRole.CREATED)
                || ddl.objects().stream().anyMatch(o -> o.role() == ObjectRole.RENAMED);
        return mayMakeTables ? RefreshStep.Joining.OF_DDL : RefreshStep.Joining.NONE;
    }

    /** Relations that the statement made or changed and that still exist, as the client's session finds them now. */
    private static Set<String> relationNames(Resolution now) {
        Set<String> names = new LinkedHashSet<>();
        for (Resolution.Named named : now.named()) {
            named.relation()
                    .filter(r -> !r.temporary() && r.kind() != 'i' && r.kind() != 'I')
                    .ifPresent(r -> names.add(r.quoted()));
        }
        return names;
    }

    /** Materialized views that the statement names, but for one that IF NOT EXISTS has met. */
    private static List<String> filled(@Nullable Resolution before, Resolution now) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < now.named().size(); i++) {
            Resolution.Named named = now.named().get(i);
            boolean met = before != null
                    && named.ref().role() == ObjectRole.CREATED
                    && before.named().get(i).relation().isPresent();
            if (!met && named.ref().kind() == ObjectKind.MATERIALIZED_VIEW) {
                named.relation().filter(r -> r.kind() == 'm').ifPresent(r -> names.add(r.quoted()));
            }
        }
        return names;
    }

    private void noteSequences(Statement.Ddl ddl, Resolution now, List<ReplicatedTable> after) {
        for (Resolution.Named named : now.named()) {
            if (named.ref().kind() == ObjectKind.SEQUENCE) {
                named.relation()
                        .filter(r -> r.kind() == 'S' && !r.temporary())
                        .ifPresent(r -> context.sequences().add(r.quoted()));
            }
        }
        if (ddl.facts().contains(DdlFact.SEQUENCE_COLUMN) || ddl.facts().contains(DdlFact.RESTART_IDENTITY)) {
            context.sequences().addAll(SequencePositions.owned(context.client().session(), after));
        }
    }

    /** Whether commands that code has run give values to rows that were there. */
    private boolean computes(List<CodeStep.Command> commands) {
        boolean computed = false;
        for (CodeStep.Command command : commands) {
            ValuePolicy.Values values = ValuePolicy.of(context.client().session(), command.ddl());
            if (values == ValuePolicy.Values.ON_ORIGIN) {
                throw Errors.unsupported(
                        "code adds or changes a column by a volatile function of your own, which would run again on every node",
                        "Send that statement by itself, before or after the code.");
            }
            computed |= values != ValuePolicy.Values.SAME;
        }
        return computed;
    }

    /**
     * Has the next carry empty tables on the replicas, so that a function of the user's, which the origin has run, finds no
     * rows to run for there; {@link #reimage} brings all rows.
     */
    private void empty(List<ReplicatedTable> tables) {
        for (ReplicatedTable table : tables) {
            context.services().substrate().empty(context.client(), table);
        }
        context.ownRowsPossible();
    }

    private void reimage(List<ReplicatedTable> tables) {
        for (ReplicatedTable table : tables) {
            context.services().substrate().reimage(context.client(), table);
        }
        context.ownRowsPossible();
        // Others' older rows first, as always: all own rows are carried, not only this table's.
        drain.run();
        drain.carry();
    }

    /** Mirrors SAVEPOINT. */
    void savepoint(String name) {
        // Known before it is sent: the client has it already, and may go back to it where a companion failed to.
        savepoints.push(new Saved(
                name,
                context.watermark(),
                context.tables().copy(),
                context.statementTexts().size(),
                context.told()));
        everywhere("SAVEPOINT " + new ObjectName(null, name).quoted());
    }

    /** Mirrors RELEASE. */
    void release(String name) {
        if (find(name) != null) {
            everywhere("RELEASE SAVEPOINT " + new ObjectName(null, name).quoted());
            Saved released;
            do {
                released = savepoints.pop();
            } while (!released.name().equals(name));
        }
    }

    /**
     * Mirrors ROLLBACK TO.
     *
     * @return false when the savepoint is older than the operation: then nothing of the operation is left
     */
    boolean rollbackTo(String name) {
        Saved saved = find(name);
        if (saved == null) {
            return false;
        }
        everywhere("ROLLBACK TO SAVEPOINT " + new ObjectName(null, name).quoted());
        while (!savepoints.getFirst().name().equals(name)) {
            savepoints.pop();
        }
        context.watermark(saved.watermark());
        context.tables(saved.tables().copy());
        context.truncateStatements(saved.statements());
        context.told(saved.told());
        context.ownRowsPossible();
        failed = false;
        return true;
    }

    private @Nullable Saved find(String name) {
        for (Saved saved : savepoints) {
            if (saved.name().equals(name)) {
                return saved;
            }
        }
        return null;
    }

    private void everywhere(String sql) {
        List<Runnable> tasks = new ArrayList<>();
        context.companions().forEach(c -> tasks.add(() -> c.session().execute(sql)));
        context.services().fan().all(tasks);
    }

    /**
     * The client's COMMIT, on all nodes.
     *
     * @return replicas that are committed to the operation but could not finish it now
     */
    List<CommitStep.Unfinished> commit(OriginCall call) {
        SettleStep settle = new SettleStep(context, marked);
        CommitStep commit = new CommitStep(context);
        commit.prepare(settle.run());
        commitSent = true;
        commit.commitOrigin(call);
        return commit.commitReplicas();
    }

    /** Aborts the client's transaction in the server itself, with the error that the client is told. */
    void abortOrigin(ServerError error) {
        Errors.raise(context.client().session(), error);
    }
}
