package io.ddlrep.engine.control;

import java.util.List;
import java.util.Optional;

/**
 * How a group is. Immutable.
 *
 * @param groupId its id
 * @param nodes the nodes, by name
 * @param publications the publications, by name
 * @param operations the last operations, newest first
 */
public record GroupStatus(
        String groupId, List<Node> nodes, List<PublicationStatus> publications, List<OperationStatus> operations) {
    /**
     * A node.
     *
     * @param name its name
     * @param address host:port/database
     * @param problem what is wrong with it, or empty
     * @param serverVersion its server's version; empty where it was not reached
     * @param schemaVersion its control schema's version; 0 where it was not reached
     * @param prepared transactions of ddlrep that are prepared there
     * @param isLost whether the problem keeps the node from taking part: not reached, or another database
     */
    public record Node(
            String name,
            String address,
            String problem,
            String serverVersion,
            int schemaVersion,
            int prepared,
            boolean isLost) {}

    /**
     * A publication.
     *
     * @param name its name
     * @param origin its origin
     * @param scope tables, schemas or database
     * @param schemas its schemas
     * @param tables how many tables it has
     * @param replicas its replicas
     */
    public record PublicationStatus(
            String name, String origin, String scope, List<String> schemas, int tables, List<Replica> replicas) {}

    /**
     * A replica of a publication.
     *
     * @param node its name
     * @param state active, paused or dirty
     * @param reason why, or empty
     * @param appliedAt when it last moved, as the replica says; empty where it was not reached
     * @param behind whether it lacks changes; empty where that could not be found out
     */
    public record Replica(String node, String state, String reason, String appliedAt, Optional<Boolean> behind) {}

    /**
     * An operation.
     *
     * @param op its id
     * @param publications its publications
     * @param state open, committed, rolled_back or unresolved
     * @param actor the role
     * @param started when
     * @param finished when, or empty
     * @param statements its text
     * @param result what the journal says of its end, or empty
     */
    public record OperationStatus(
            String op,
            String publications,
            String state,
            String actor,
            String started,
            String finished,
            String statements,
            String result) {}
}
