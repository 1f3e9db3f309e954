package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** Idle service sessions on one node. Thread-safe; a session whose work failed is closed. */
final class ServiceSessions implements AutoCloseable {
    /** How long an idle session is trusted without asking. */
    static final long TRUSTED_NANOS = 1_000_000_000L;

    private final NodeAccess access;
    private final String node;
    private final Deque<Idle> idle = new ArrayDeque<>();

    /** A session that waits for work. */
    private record Idle(NodeSession session, long sinceNanos) {
        boolean usable() {
            return !session.isClosed() && (System.nanoTime() - sinceNanos < TRUSTED_NANOS || answers(session));
        }
    }

    /** Whether a session's server is still there. */
    static boolean answers(NodeSession session) {
        try {
            session.execute("");
            return true;
        } catch (NodeException e) {
            return false;
        }
    }

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
                    idle.push(new Idle(session, System.nanoTime()));
                }
            } else {
                session.close();
            }
        }
    }

    private NodeSession take() {
        while (true) {
            Idle found;
            synchronized (idle) {
                found = idle.poll();
            }
            if (found == null) {
                return access.service(node);
            }
            if (found.usable()) {
                return found.session();
            }
            found.session().close();
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            idle.forEach(each -> each.session().close());
            idle.clear();
        }
    }
}
