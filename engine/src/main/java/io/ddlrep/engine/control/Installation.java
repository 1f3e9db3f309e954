package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeAddress;
import java.util.List;
import java.util.Optional;

/**
 * What one node is told when its control schema is installed. Immutable.
 *
 * @param groupId short random id, the same on every node
 * @param node the name of the node that is being installed
 * @param members all nodes of the group, this one too
 * @param key the group's key, the same on every node
 * @param verifiers SCRAM verifiers of ddlrep's login roles; empty: the password of the role is left as it is
 */
public record Installation(String groupId, String node, List<Member> members, GroupKey key, Verifiers verifiers) {
    /** Copies the list. */
    public Installation {
        members = List.copyOf(members);
    }

    /** With a password for {@code ddlrep_apply} at most. */
    public Installation(
            String groupId, String node, List<Member> members, GroupKey key, Optional<ScramVerifier> applyVerifier) {
        this(groupId, node, members, key, new Verifiers(applyVerifier, Optional.empty()));
    }

    /**
     * What the login roles are given, the same on every node.
     *
     * @param apply for {@code ddlrep_apply}
     * @param service for {@code ddlrep_service}
     */
    public record Verifiers(Optional<ScramVerifier> apply, Optional<ScramVerifier> service) {}

    /** The same for another node of the group. */
    public Installation forNode(String other) {
        return new Installation(groupId, other, members, key, verifiers);
    }

    /**
     * A node of the group.
     *
     * @param address its name and where clients and other nodes reach it
     * @param identity what it is
     */
    public record Member(NodeAddress address, NodeIdentity identity) {}
}
