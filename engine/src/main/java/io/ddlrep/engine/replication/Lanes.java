package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Idle lanes by replica. Thread-safe. A lane is given back only after its work ended well (or has to wait for an operation): after a failure its sessions
 * are closed, so that nothing half done is ever used again.
 */
final class Lanes implements AutoCloseable {
    private final NodeAccess access;
    private final String origin;
    private final Map<String, Deque<Lane>> idle = new ConcurrentHashMap<>();

    Lanes(NodeAccess access, String origin) {
        this.access = access;
        this.origin = origin;
    }

    /**
     * Runs some work with a lane to a replica. Where a lane that waited turns out to be lost, as after a restart of the
     * server, the work is done again with a new one: it is bound to the replica's position, so that nothing happens twice.
     */
    <T> T with(String replica, Function<Lane, T> work) {
        Lane waiting = waiting(replica);
        if (waiting == null) {
            return with(open(replica), replica, work);
        }
        try {
            return with(waiting, replica, work);
        } catch (NodeException e) {
            if (!e.isConnectionLost()) {
                throw e;
            }
            forget(replica);
            return with(open(replica), replica, work);
        }
    }

    private <T> T with(Lane lane, String replica, Function<Lane, T> work) {
        boolean well = false;
        try {
            T result = work.apply(lane);
            well = true;
            return result;
        } catch (OperationPendingException e) {
            well = true;
            throw e;
        } finally {
            if (well) {
                give(replica, lane);
            } else {
                lane.close();
            }
        }
    }

    /** Those that wait are most likely lost too. */
    private void forget(String replica) {
        for (Lane lane = waiting(replica); lane != null; lane = waiting(replica)) {
            lane.close();
        }
    }

    private @Nullable Lane waiting(String replica) {
        Deque<Lane> lanes = idle.computeIfAbsent(replica, name -> new ArrayDeque<>());
        while (true) {
            @Nullable Lane lane;
            synchronized (lanes) {
                lane = lanes.poll();
            }
            if (lane == null || lane.isOpen()) {
                return lane;
            }
            lane.close();
        }
    }

    private Lane open(String replica) {
        var there = access.apply(replica);
        try {
            return new Lane(access.service(origin), there);
        } catch (RuntimeException e) {
            there.close();
            throw e;
        }
    }

    private void give(String replica, Lane lane) {
        Deque<Lane> lanes = idle.computeIfAbsent(replica, name -> new ArrayDeque<>());
        synchronized (lanes) {
            lanes.push(lane);
        }
    }

    @Override
    public void close() {
        for (Deque<Lane> lanes : idle.values()) {
            synchronized (lanes) {
                lanes.forEach(Lane::close);
                lanes.clear();
            }
        }
    }
}
