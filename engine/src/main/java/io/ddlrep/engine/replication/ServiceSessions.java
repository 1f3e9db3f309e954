package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** Idle service sessions on one node. Thread-safe; a session whose work failed is closed. */
final class ServiceSessions implements AutoCloseable {
    private final NodeAccess access;
    private final String node;
    private final Deque<NodeSession> idle = new ArrayDeque<>();

    ServiceSessions(NodeAccess access, String node) {
        this.access = access;
        this.node = node;
    }

    <T> T with(Function<NodeSession, T> work) {
        NodeSession session = take();
        boolean well = false;
        try {
            T result = work.apply(session);
            well = true;
            return result;
        } finally {
            if (well) {
                synchronized (idle) {
                    idle.push(session);
                }
            } else {
                session.close();
            }
        }
    }

    private NodeSession take() {
        while (true) {
            NodeSession session;
            synchronized (idle) {
                session = idle.poll();
            }
            if (session == null) {
                return access.service(node);
            }
            if (!session.isClosed()) {
                return session;
            }
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            idle.forEach(NodeSession::close);
            idle.clear();
        }
    }
}
