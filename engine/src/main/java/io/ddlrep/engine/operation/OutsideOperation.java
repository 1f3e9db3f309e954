package io.ddlrep.engine.operation;

import io.ddlrep.engine.OriginCall;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one client whose statement PostgreSQL refuses in a transaction block, from their opening to their end. Used by
 * the thread that owns the client's session; {@link #cancel} by any.
 */
final class OutsideOperation {
    private final OperationOpener opener;
    private final NodeSession client;
    private final OperationEnd ending;
    private final Cancels cancels;
    private volatile @Nullable OutsideStep step;

    OutsideOperation(OperationOpener opener, NodeSession client, OperationEnd ending, Cancels cancels) {
        this.opener = opener;
        this.client = client;
        this.ending = ending;
        this.cancels = cancels;
    }

    /** Whether the statement is one of those that run outside a transaction block on every node. */
    static boolean isMeant(Statement.Ddl ddl) {
        return rebuilds(ddl)
                || Maintenance.isMeant(ddl)
                || (ddl.tag().equals("CREATE INDEX") && ddl.facts().contains(DdlFact.CONCURRENTLY));
    }

    /**
     * Whether it makes the indexes of one table anew, of which each node then has its own again, whatever becomes of the
     * others. REINDEX of a schema or a database goes through tables that are no publication's, and stays where it was sent.
     */
    static boolean rebuilds(Statement.Ddl ddl) {
        return ddl.tag().equals("REINDEX")
                && ddl.objects().stream().anyMatch(o -> o.kind() == ObjectKind.TABLE || o.kind() == ObjectKind.INDEX);
    }

    /**
     * Runs the statement on every node, and takes it back on every node where one of them failed, unless it is
     * maintenance: what one node has done of that, it would do again by itself some day.
     *
     * @param plan what it concerns
     * @param call runs it in the client's session
     * @throws RuntimeException the first failure, as the client is told
     */
    void run(StatementPlanner.Plan plan, OriginCall call) {
        Statement.Ddl ddl = plan.planned().ddl();
        boolean maintenance = Maintenance.isMeant(ddl);
        String table = maintenance ? "" : table(plan);
        if (table.isEmpty() && !maintenance) {
            call.run(); // the server's own 42P01
            return;
        }
        OperationContext context = open(plan);
        OutsideStep current = new OutsideStep(context);
        step = current;
        try {
            NamedObjects.check(context, List.of(ddl), plan.planned());
            if (maintenance) {
                current.maintain(ddl, call);
            } else {
                current.run(ddl, table, call);
            }
            cancels.deafen();
            current.decide();
        } catch (RuntimeException e) {
            cancels.deafen();
            RuntimeException told = maintenance
                    ? Errors.ofMaintenance(e, client.node(), context.op())
                    : Errors.forClient(e, client.node(), context.op());
            takeBack(context, told, maintenance ? List::of : current::undo);
        } finally {
            step = null;
            opener.closeCompanions();
        }
        ending.kept(context, maintenance ? List.of() : current.end());
    }

    private OperationContext open(StatementPlanner.Plan plan) {
        try {
            return opener.openOutside(new OperationOpener.Opening(plan.concerned(), plan))
                    .context();
        } catch (RuntimeException e) {
            throw Errors.beforeOperation(e, client.node());
        }
    }

    /**
     * Takes the operation back, unless its decision is there although the answer was lost.
     *
     * @param undo takes back what the nodes have done, and gives those where that was not possible, with the reason
     */
    private void takeBack(OperationContext context, RuntimeException told, Supplier<List<String>> undo) {
        Optional<Boolean> committed = ending.decision(context);
        if (committed.isEmpty()) {
            throw told;
        }
        if (!committed.get()) {
            ending.takenBack(context, String.valueOf(told.getMessage()), undo.get());
            throw told;
        }
    }

    /** The table that the index is of; empty where there is none. */
    private static String table(StatementPlanner.Plan plan) {
        if (rebuilds(plan.planned().ddl())) {
            List<Long> named = plan.planned().resolution().named().stream()
                    .flatMap(n -> n.relation().stream())
                    .map(Resolution.Relation::tableRelid)
                    .toList();
            return plan.planned().touched().stream()
                    .filter(t -> named.contains(t.relid()))
                    .map(ReplicatedTable::quoted)
                    .findFirst()
                    .orElse("");
        }
        return plan.planned().resolution().named().stream()
                .filter(n -> n.ref().kind() == ObjectKind.TABLE)
                .flatMap(n -> n.relation().stream())
                .map(Resolution.Relation::quoted)
                .findFirst()
                .orElse("");
    }

    /** Asks every node that is at work to stop; once. */
    void cancel() {
        OutsideStep current = step;
        if (current != null) {
            current.cancel();
        }
    }
}
