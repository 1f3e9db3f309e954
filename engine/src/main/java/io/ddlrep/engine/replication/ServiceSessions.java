package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    /** Runs some work that may be begun again: so it is with a new session, where one that was kept turns out to be dead. */
    <T> T with(Function<NodeSession, T> work) {
        NodeSession kept = kept();
        if (kept != null) {
            try {
                return run(kept, work);
            } catch (NodeException e) {
                if (!e.isConnectionLost()) {
                    throw e;
                }
            }
        }
        return run(access.service(node), work);
    }

    private <T> T run(NodeSession session, Function<NodeSession, T> work) {
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

    private @Nullable NodeSession kept() {
        while (true) {
            Idle found;
            synchronized (idle) {
                found = idle.poll();
            }
            if (found == null) {
                return null;
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
