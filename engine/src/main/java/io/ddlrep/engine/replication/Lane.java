package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeSession;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pair of sessions that bring changes from the origin to one replica. Used by one thread at a time. */
final class Lane implements AutoCloseable {
    private final NodeSession origin;
    private final NodeSession replica;
    private final Set<String> stages = new HashSet<>();
    private @Nullable BatchTickets tickets;
    private long restingSince;

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

    /** Calls apply functions in the replica's session. */
    BatchTickets tickets() {
        BatchTickets known = tickets;
        if (known == null) {
            known = new BatchTickets(origin, replica);
            tickets = known;
        }
        return known;
    }

    /** Remembers a staging table; false if it is known. A lane whose transaction failed is thrown away, stages and all. */
    boolean remember(String stage) {
        return stages.add(stage);
    }

    /** Is about to wait for work. */
    void rest() {
        restingSince = System.nanoTime();
    }

    /** Whether it can be used; sessions that waited long are asked, since a server may have been restarted meanwhile. */
    boolean isUsable() {
        if (origin.isClosed() || replica.isClosed()) {
            return false;
        }
        if (System.nanoTime() - restingSince < ServiceSessions.TRUSTED_NANOS) {
            return true;
        }
        return ServiceSessions.answers(origin) && ServiceSessions.answers(replica);
    }

    @Override
    public void close() {
        origin.close();
        replica.close();
    }
}
