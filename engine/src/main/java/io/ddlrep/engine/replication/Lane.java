package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeSession;
import java.util.HashSet;
import java.util.Set;

/** A pair of sessions that bring changes from the origin to one replica. Used by one thread at a time. */
final class Lane implements AutoCloseable {
    private final NodeSession origin;
    private final NodeSession replica;
    private final Set<String> stages = new HashSet<>();

    Lane(NodeSession origin, NodeSession replica) {
        this.origin = origin;
        this.replica = replica;
    }

    NodeSession origin() {
        return origin;
    }

    NodeSession replica() {
        return replica;
    }

    /** Remembers a staging table; false if it is known. A lane whose transaction failed is thrown away, stages and all. */
    boolean remember(String stage) {
        return stages.add(stage);
    }

    boolean isOpen() {
        return !origin.isClosed() && !replica.isClosed();
    }

    @Override
    public void close() {
        origin.close();
        replica.close();
    }
}
