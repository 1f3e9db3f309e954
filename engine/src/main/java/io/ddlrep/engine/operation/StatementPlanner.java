package io.ddlrep.engine.operation;

import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a DDL statement concerns and which locks it needs. Names are resolved in the client's session; everything
 * else is read by the service. Owned by the client's thread.
 */
final class StatementPlanner {
    private static final String LOCKABLE = """
            SELECT n AS name FROM pg_catalog.unnest($1::pg_catalog.text[]) n
             WHERE pg_catalog.has_table_privilege(pg_catalog.to_regclass(n), 'UPDATE, DELETE, TRUNCATE')
            """;

    private final TriggerEngine engine;
    private final Services services;
    private final NodeSession client;

    StatementPlanner(TriggerEngine engine, Services services, NodeSession client) {
        this.engine = engine;
        this.services = services;
        this.client = client;
    }

    /**
     * A statement, and what it concerns.
     *
     * @param planned the statement with what the catalogs say
     * @param concerned publications; empty: it goes to the origin untouched
     * @param settings the session's settings
     */
    record Plan(Operation.Planned planned, List<Group.Publication> concerned, OperationSettings settings) {
        /** The plan of another form of the statement, which names the same. */
        Plan of(Statement.Ddl form) {
            return new Plan(
                    new Operation.Planned(form, planned.resolution(), planned.touched(), planned.state()),
                    concerned,
                    settings);
        }
    }

    /**
     * Plans a statement.
     *
     * @param open the operation that is open, or null
     * @throws io.ddlrep.engine.DdlrepException 22023 for a setting that means nothing
     */
    Plan plan(Statement.Ddl ddl, @Nullable Operation open) {
        List<List<Row>> said = client.queryEach(ClientState.SQL + ";\n" + Resolution.SQL, Resolution.question(ddl));
        ClientState state = ClientState.of(said.get(0).get(0));
        OperationSettings settings;
        try {
            settings = state.settings(engine.settings());
        } catch (IllegalArgumentException e) {
            throw Errors.of("22023", String.valueOf(e.getMessage()), "", "");
        }
        Resolution resolution = Resolution.of(ddl, said.get(1)).withNaming(client, ddl);
        List<ReplicatedTable> touched = tables(resolution, open);
        return new Plan(
                new Operation.Planned(ddl, resolution, touched, state),
                concerned(ddl, resolution, touched, state, settings),
                settings);
    }

    private List<Group.Publication> concerned(
            Statement.Ddl ddl,
            Resolution resolution,
            List<ReplicatedTable> touched,
            ClientState state,
            OperationSettings settings) {
        if (!settings.replicate()) {
            return List.of();
        }
        return Maintenance.isMeant(ddl)
                ? Maintenance.concerned(engine.group(), settings, resolution, touched)
                : Scopes.concerned(engine.group(), ddl, resolution, touched, state);
    }

    /**
     * The same plan now that the operation has its turn: another one may have changed names and tables in the meantime.
     *
     * @param turn what was seen when the turn was taken
     * @throws io.ddlrep.engine.DdlrepException 40001 where the statement now concerns publications that were not asked for
     */
    Plan again(Plan plan, Operation open, Turn turn) {
        Statement.Ddl ddl = plan.planned().ddl();
        ClientState state = plan.planned().state();
        Resolution resolution = turn.decidedSince()
                ? Resolution.of(client, ddl)
                : plan.planned().resolution();
        List<ReplicatedTable> touched = turn.decidedSince()
                ? tables(resolution, open)
                : open.context().tables().find(resolution.tableRelids(), turn.tables());
        List<Group.Publication> concerned = Scopes.concerned(open.context().group(), ddl, resolution, touched, state);
        List<String> names = concerned.stream().map(Group.Publication::name).toList();
        if (!open.context().publicationNames().containsAll(names)) {
            throw Errors.of(
                    "40001",
                    "another operation has changed what this statement concerns; nothing was changed",
                    "Publications: " + names,
                    "Send the statement again.");
        }
        return new Plan(new Operation.Planned(ddl, resolution, touched, state), plan.concerned(), plan.settings());
    }

    private List<ReplicatedTable> tables(Resolution resolution, @Nullable Operation open) {
        if (open != null) {
            return open.context().tables().find(open.context().service(), resolution.tableRelids());
        }
        NodeSession service = services.borrow(client.node());
        try {
            List<Long> relids = resolution.tableRelids();
            List<List<Row>> said =
                    service.queryEach(GroupReader.SQL + ";\n" + GroupTables.TABLES, GroupTables.texts(relids));
            GroupReader.of(said.get(0)).ifPresent(engine::learn);
            return new GroupTables().find(relids, said.get(1));
        } finally {
            services.giveBack(service);
        }
    }

    /**
     * The locks to take before a statement.
     *
     * @param script the statements whose targets are locked together, this one among them
     */
    LockPlan locks(Operation current, Plan plan, List<Statement> script) {
        LockPlan.Builder builder = new LockPlan.Builder();
        OperationContext context = current.context();
        for (Statement statement : script) {
            if (statement instanceof Statement.Ddl other) {
                boolean self = other.equals(plan.planned().ddl());
                Resolution resolution = self ? plan.planned().resolution() : Resolution.of(client, other);
                List<ReplicatedTable> touched = self
                        ? plan.planned().touched()
                        : context.tables().find(context.service(), resolution.tableRelids());
                List<ReplicatedTable> neighbours = LockPlanner.reachesNeighbours(other)
                        ? context.tables().neighbours(context.service(), touched)
                        : List.of();
                List<ReplicatedTable> trees = context.tables().trees(context.service(), touched);
                LockPlanner.plan(other, resolution, touched, neighbours, trees, builder);
                if (MaterializedRows.isFilled(other)) {
                    context.tables()
                            .find(context.service(), MaterializedRows.sources(client, other, resolution))
                            .forEach(t -> builder.add(t.quoted(), LockPlan.Mode.SHARE));
                }
            }
        }
        Statement.Ddl ddl = plan.planned().ddl();
        return lockable(
                builder.build(ddl.complete() && !ddl.facts().contains(DdlFact.CASCADE)),
                plan.planned().state().superuser());
    }

    /** What the client may not lock, such as a foreign key's parent of another owner, the statement locks by itself. */
    private LockPlan lockable(LockPlan wanted, boolean superuser) {
        if (wanted.isEmpty() || superuser) {
            return wanted;
        }
        Set<String> allowed = client.query(LOCKABLE, wanted.tables()).stream()
                .map((Row r) -> r.text("name"))
                .collect(Collectors.toSet());
        if (allowed.size() == wanted.locks().size()) {
            return wanted;
        }
        return new LockPlan(
                wanted.locks().stream().filter(l -> allowed.contains(l.table())).toList(), false);
    }
}
