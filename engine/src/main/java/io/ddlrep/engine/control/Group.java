package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeAddress;
import java.util.List;
import java.util.Map;

/**
 * What a node's control schema says about the group. Immutable.
 *
 * @param groupId short random id
 * @param self the node that it was read from
 * @param nodes all nodes by name
 * @param publications all publications
 */
public record Group(String groupId, String self, Map<String, NodeAddress> nodes, List<Publication> publications) {
    /**
     * A publication.
     *
     * @param name its name
     * @param origin the node that takes writes
     * @param scope what is replicated
     * @param schemas the schemas of scope {@code SCHEMAS}
     * @param replicas the replicas and their states
     */
    public record Publication(
            String name, String origin, Scope scope, List<String> schemas, List<ReplicaState> replicas) {}

    /**
     * A replica's state for a publication.
     *
     * @param node its name
     * @param state active, paused or dirty
     * @param reason why, or empty
     */
    public record ReplicaState(String node, State state, String reason) {}

    /** States of a replica. */
    public enum State {
        /** Receives. */
        ACTIVE,
        /** Stopped by a person. */
        PAUSED,
        /** Not trusted until seen equal again. */
        DIRTY
    }

    /** What a publication replicates. */
    public enum Scope {
        /** DDL that touches its tables. */
        TABLES,
        /** All DDL in its schemas; new tables join. */
        SCHEMAS,
        /** Everything in the database. */
        DATABASE
    }
}
