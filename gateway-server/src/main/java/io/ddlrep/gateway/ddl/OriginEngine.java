package io.ddlrep.gateway.ddl;

import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.operation.TriggerEngine;
import io.ddlrep.engine.replication.TriggerSubstrate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The engine of the gateway's group, opened by the first DDL, so that a gateway starts also while a node is down. Thread-safe;
 * blocks, so that no event loop may call it.
 */
public final class OriginEngine implements AutoCloseable {
    /** How long a database without a group is taken to have none. */
    private static final Duration NO_GROUP = Duration.ofSeconds(2);

    private final EngineConfig config;
    private final NodeAddress origin;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable DdlEngine engine;
    private long lookAgainNanos = System.nanoTime();
    private boolean closed;

    /**
     * Makes it.
     *
     * @param config what the engine is opened with; with credentials of the service role
     * @param origin the node that the gateway stands before
     */
    public OriginEngine(EngineConfig config, NodeAddress origin) {
        this.config = config;
        this.origin = origin;
    }

    /**
     * The engine; empty where the origin is in no group, so that DDL is its own affair.
     *
     * @throws io.ddlrep.engine.node.NodeException when the origin cannot be asked
     */
    Optional<DdlEngine> get() {
        lock.lock();
        try {
            if (engine == null && !closed && System.nanoTime() - lookAgainNanos >= 0) {
                engine = open();
                lookAgainNanos = System.nanoTime() + NO_GROUP.toNanos();
            }
            return Optional.ofNullable(engine);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable DdlEngine open() {
        Optional<Group> group;
        try (NodeSession session =
                config.connector().open(origin, config.service().orElseThrow(), "ddlrep gateway")) {
            group = DdlEngine.groupOf(session);
        }
        return group.map(found -> TriggerEngine.open(config, found, TriggerSubstrate::of))
                .orElse(null);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (engine != null) {
                engine.close();
                engine = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
