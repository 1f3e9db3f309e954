package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sessions in which one statement reads tables of nodes, as the client itself: it sees what it may see there. Each node is
 * read in one snapshot; the snapshots of two nodes are not of one moment. Used by one thread, but for {@link #cancel}.
 */
final class NodeSessions implements AutoCloseable {
    private static final int ROWS_OF_A_FETCH = 1000;

    private final Function<NodeAddress, NodeSession> opener;
    private final Map<String, NodeSession> open = new LinkedHashMap<>();
    private int cursors;
    private volatile boolean cancelled;

    /**
     * Makes it.
     *
     * @param opener opens a session as the client
     */
    NodeSessions(Function<NodeAddress, NodeSession> opener) {
        this.opener = opener;
    }

    /** The session on a node, in its snapshot. */
    NodeSession of(NodeAddress address) {
        NodeSession known = find(address.name());
        if (known != null) {
            return known;
        }
        NodeSession session = opener.apply(address);
        try {
            session.execute("SET search_path = pg_catalog, pg_temp");
            session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
        synchronized (open) {
            open.put(address.name(), session);
        }
        return session;
    }

    private @Nullable NodeSession find(String node) {
        synchronized (open) {
            return open.get(node);
        }
    }

    /** A name for one more cursor. */
    String cursor() {
        return "ddlrep_" + ++cursors;
    }

    /** How many rows are fetched at a time. */
    int fetch() {
        return ROWS_OF_A_FETCH;
    }

    /**
     * Ends a statement that was cancelled.
     *
     * @throws AdminException 57014
     */
    void check() {
        if (cancelled) {
            throw AdminException.canceled();
        }
    }

    /** Cancels the statement, also what runs on the nodes; called by any thread. */
    void cancel() {
        cancelled = true;
        synchronized (open) {
            open.values().forEach(NodeSession::cancel);
        }
    }

    @Override
    public void close() {
        synchronized (open) {
            open.values().forEach(NodeSession::close);
            open.clear();
        }
    }
}
