package io.ddlrep.engine.control;

import java.util.List;

/** Makes the rows of new replicas those of the origin, and says on each replica from where on changes are applied. */
@FunctionalInterface
public interface InitialRows {
    /**
     * Called when the tables are captured on the origin and denied on the replicas. Where a table has the same rows
     * already nothing is copied; where it is empty on the replica it is filled.
     *
     * @param origin the origin
     * @param replicas the replicas
     * @param publication the publication
     * @param tables qualified names as SQL spells them
     * @throws io.ddlrep.engine.node.NodeException 55000 where a replica has other rows than the origin
     */
    void start(GroupMember origin, List<GroupMember> replicas, String publication, List<String> tables);
}
