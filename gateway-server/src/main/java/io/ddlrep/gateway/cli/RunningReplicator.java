package io.ddlrep.gateway.cli;

import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.ReplicaStatus;
import io.ddlrep.engine.replication.Replicator;
import io.ddlrep.engine.replication.TriggerSubstrate;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A replicator of the group's origin, and what it tells of its replicas. Used by one thread. */
final class RunningReplicator implements AutoCloseable {
    private final TriggerSubstrate substrate;
    private final Replicator replicator;
    private final Map<String, String> told = new HashMap<>();

    private RunningReplicator(TriggerSubstrate substrate, Replicator replicator) {
        this.substrate = substrate;
        this.replicator = replicator;
    }

    /** Starts it. */
    static RunningReplicator start(GroupConnection connection) {
        TriggerSubstrate substrate = connection.substrate();
        try {
            NodeAccess access = connection.access();
            String origin = connection.group().self();
            Replicator replicator = new Replicator(
                    substrate, access, origin, Replicator.controlSchema(access, origin), Replicator.Pace.standard());
            replicator.start();
            return new RunningReplicator(substrate, replicator);
        } catch (RuntimeException e) {
            substrate.close();
            throw e;
        }
    }

    /** Tells each state that has changed since the last call; working and current are one. */
    void tellChanges(Consumer<String> tell) {
        for (ReplicaStatus status : replicator.status()) {
            String what = switch (status.state()) {
                case CURRENT, WORKING -> "running";
                case OPERATION_PENDING -> "waiting for an operation to be finished there: ddlrep recover";
                case RETRYING -> "failed, trying again: " + status.lastError();
                case PAUSED -> "paused";
                case DIRTY -> "dirty, stopped: " + status.lastError();
                case CLOSED -> "stopped";
            };
            String who = "publication " + status.publication() + ", replica " + status.replica();
            if (!what.equals(told.put(who, what))) {
                tell.accept(who + ": " + what);
            }
        }
    }

    @Override
    public void close() {
        replicator.close();
        substrate.close();
    }
}
