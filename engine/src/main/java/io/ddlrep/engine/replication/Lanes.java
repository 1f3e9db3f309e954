package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.substrate.OperationPendingException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Idle lanes by replica. Thread-safe. A lane is given back only after its work ended well (or has to wait for an operation): after a failure its sessions
 * are closed, so that nothing half done is ever used again.
 */
final class Lanes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    private final NodeAccess access;
    private final String origin;
    private final Map<String, Deque<Lane>> idle = new ConcurrentHashMap<>();

    Lanes(NodeAccess access, String origin) {
        this.access = access;
        this.origin = origin;
    }

    /**
     * Runs some work with a lane to a replica; once more with a new one where a lane that was kept turns out to be dead, as after
     * a restart of a server a moment ago. Work ends in one transaction with its position, so it may be begun again.
     */
    <T> T with(String replica, Function<Lane, T> work) {
        Lane kept = kept(replica);
        if (kept != null) {
            try {
                return run(replica, kept, work);
            } catch (NodeException e) {
                if (!e.isConnectionLost()) {
                    throw e;
                }
                LOG.debug("ddlrep: a kept lane to {} is dead, opening a new one: {}", replica, e.toString());
            }
        }
        return run(replica, open(replica), work);
    }

    private <T> T run(String replica, Lane lane, Function<Lane, T> work) {
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

    private @Nullable Lane kept(String replica) {
        Deque<Lane> lanes = idle.computeIfAbsent(replica, name -> new ArrayDeque<>());
        while (true) {
            Lane lane;
            synchronized (lanes) {
                lane = lanes.poll();
            }
            if (lane == null || lane.isUsable()) {
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
        lane.rest();
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
