package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Idle service sessions on one node. Thread-safe; a session whose work failed is closed. */
final class ServiceSessions implements AutoCloseable {
    private final NodeAccess access;
    private final String node;
    private final Deque<NodeSession> idle = new ArrayDeque<>();

    ServiceSessions(NodeAccess access, String node) {
        this.access = access;
        this.node = node;
    }

    /** Runs some work; again with a new session where one that waited turns out to be lost. The work is one statement. */
    <T> T with(Function<NodeSession, T> work) {
        NodeSession waiting = waiting();
        if (waiting == null) {
            return with(access.service(node), work);
        }
        try {
            return with(waiting, work);
        } catch (NodeException e) {
            if (!e.isConnectionLost()) {
                throw e;
            }
            close();
            return with(access.service(node), work);
        }
    }

    private <T> T with(NodeSession session, Function<NodeSession, T> work) {
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

    private @Nullable NodeSession waiting() {
        synchronized (idle) {
            NodeSession session = idle.poll();
            while (session != null && session.isClosed()) {
                session = idle.poll();
            }
            return session;
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
