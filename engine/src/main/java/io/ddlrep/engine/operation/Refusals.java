package io.ddlrep.engine.operation;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.Transactability;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which statements are refused before an operation opens, and why. Stateless. */
final class Refusals {
    /** Changes owners and privileges of any kind of object, and no event trigger is told. */
    private static final Pattern OWNED = Pattern.compile("\\b(?:reassign|drop)\\s+owned\\b", Pattern.CASE_INSENSITIVE);

    private Refusals() {}

    /**
     * The reason to refuse a statement, or empty.
     *
     * @param plan what it concerns; at least one publication
     * @param services knows the nodes' addresses
     * @param self the node that the client is connected to
     * @param mode in whose transaction block it would run
     */
    static Optional<DdlrepException> of(
            StatementPlanner.Plan plan, Services services, String self, Operation.Mode mode) {
        Statement.Ddl ddl = plan.planned().ddl();
        return replica(plan, services, self)
                .or(() -> schemaOfScope(plan, ddl))
                .or(() -> ownTrigger(ddl))
                .or(() -> outsideBlock(ddl, mode))
                .or(() -> explained(ddl))
                .or(() -> ownedInCode(ddl))
                .or(() -> mixed(plan))
                .or(() -> partitionedCluster(plan, ddl));
    }

    private static Optional<DdlrepException> replica(StatementPlanner.Plan plan, Services services, String self) {
        for (Group.Publication publication : plan.concerned()) {
            if (!publication.origin().equals(self)) {
                NodeAddress origin = services.address(publication.origin());
                return Optional.of(Errors.of(
                        "25006",
                        "this node is a replica of publication " + publication.name() + "; nothing was changed",
                        "Its origin is " + origin,
                        "Connect to jdbc:ddlrep://" + origin.host() + ":" + origin.port() + "/" + origin.database()));
            }
        }
        return Optional.empty();
    }

    private static Optional<DdlrepException> schemaOfScope(StatementPlanner.Plan plan, Statement.Ddl ddl) {
        boolean renames = plan.concerned().stream()
                .anyMatch(p -> ddl.objects().stream()
                        .anyMatch(o -> o.kind() == ObjectKind.SCHEMA
                                && o.role() == ObjectRole.RENAMED
                                && p.schemas().contains(o.name().name())));
        return renames
                ? Optional.of(Errors.unsupported(
                        "a publication's scope names this schema",
                        "Rename it after it was taken out of the publication."))
                : Optional.empty();
    }

    private static Optional<DdlrepException> ownTrigger(Statement.Ddl ddl) {
        boolean own = ddl.objects().stream()
                .anyMatch(o -> o.kind() == ObjectKind.TRIGGER && o.name().name().startsWith("!ddlrep_"));
        return own
                ? Optional.of(Errors.of(
                        "42939",
                        "triggers whose names begin with !ddlrep_ are ddlrep's own",
                        "The statement would change what captures rows on the origin, or what keeps them out on replicas.",
                        "Give the trigger another name."))
                : Optional.empty();
    }

    private static Optional<DdlrepException> outsideBlock(Statement.Ddl ddl, Operation.Mode mode) {
        if (ddl.transactability() != Transactability.REFUSED) {
            return Optional.empty();
        }
        if (mode == Operation.Mode.BLOCK) {
            // As the server says; the guard would speak first.
            return Optional.of(Errors.inBlock(ddl));
        }
        return OutsideOperation.isMeant(ddl)
                ? Optional.empty()
                : Optional.of(
                        Errors.unsupported(
                                ddl.tag() + " in this form runs outside a transaction block and is not replicated yet",
                                "Use the form that runs in a transaction, or run it on each node with SET ddlrep.replicate = off."));
    }

    /**
     * Whether the statement is run in a form that can be in a transaction: what it locks is only locked for a moment then, and
     * every node has the change or none. What the server refuses to do CONCURRENTLY it is left to refuse.
     */
    static boolean hasPlainForm(Statement.Ddl ddl) {
        if (!ddl.facts().contains(DdlFact.CONCURRENTLY)) {
            return false;
        }
        return switch (ddl.tag()) {
            case "DROP INDEX" -> ddl.objects().size() == 1 && !ddl.facts().contains(DdlFact.CASCADE);
            case "ALTER TABLE" -> ddl.facts().contains(DdlFact.PARTITION_CHANGE);
            default -> false;
        };
    }

    private static Optional<DdlrepException> explained(Statement.Ddl ddl) {
        return ddl.tag().equals("EXPLAIN")
                ? Optional.of(Errors.unsupported(
                        "EXPLAIN ANALYZE of a statement that makes a table makes it, and on this node alone",
                        "EXPLAIN ANALYZE the query by itself."))
                : Optional.empty();
    }

    private static Optional<DdlrepException> ownedInCode(Statement.Ddl ddl) {
        return Scopes.isCode(ddl) && OWNED.matcher(ddl.text()).find()
                ? Optional.of(Errors.unsupported(
                        "code with REASSIGN OWNED or DROP OWNED is not replicated: no event trigger sees what they change",
                        "Send them as statements of their own."))
                : Optional.empty();
    }

    private static Optional<DdlrepException> mixed(StatementPlanner.Plan plan) {
        return plan.planned().resolution().mixed()
                ? Optional.of(Errors.unsupported(
                        "the statement drops temporary objects, which are only here, together with replicated ones",
                        "Drop them in two statements."))
                : Optional.empty();
    }

    private static Optional<DdlrepException> partitionedCluster(StatementPlanner.Plan plan, Statement.Ddl ddl) {
        boolean partitioned = ddl.tag().equals("CLUSTER")
                && plan.planned().resolution().named().stream()
                        .flatMap(n -> n.relation().stream())
                        .anyMatch(r -> r.kind() == 'p');
        return partitioned
                ? Optional.of(Errors.unsupported(
                        "CLUSTER of a partitioned table runs outside a transaction block and is not replicated",
                        "CLUSTER its partitions one by one."))
                : Optional.empty();
    }
}
