package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.GonePeer;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import java.util.Map;

/**
 * Opens the sessions that replication needs, with the settings that it needs. Immutable and thread-safe.
 *
 * <p>A service session never runs code of users. An apply session does (constraints and index expressions of the tables'
 * owners run in it), which is why its role can do nothing but apply.
 */
public final class NodeAccess {
    private static final String COMMON = "SET search_path = pg_catalog, pg_temp; SET datestyle = 'ISO, YMD';"
            + " SET intervalstyle = 'postgres'; SET timezone = 'UTC'; SET extra_float_digits = 1;"
            + " SET bytea_output = 'hex'; SET xmloption = content; SET array_nulls = on; SET statement_timeout = 0;"
            // Somebody else's lock ends a turn, and with it the hold on the subscription: no applier waits for ever.
            + " SET lock_timeout = '2min';"
            // Not before 17.
            + " SELECT pg_catalog.set_config(s.name, '0', false) FROM pg_catalog.pg_settings s WHERE s.name = 'transaction_timeout';"
            + " SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;"
            + " SET idle_in_transaction_session_timeout = 0; SET client_min_messages = warning; SET jit = off; "
            + GonePeer.SETTINGS;

    /** After code of owners has run in an apply session: a setting that it SET outlives its function. */
    static final String PIN = "SET search_path = pg_catalog, pg_temp";

    /** Before an apply session commits: nothing of the owners' code may run then, with the session's rights. */
    static final String CHECK = "SELECT ddlrep.left_behind()";

    /** Never lowered: a session that waits for more than the local disk goes on doing so. */
    private static final String DURABLE = "SELECT pg_catalog.set_config('synchronous_commit', 'on', false)"
            + " WHERE pg_catalog.current_setting('synchronous_commit') IN ('off', 'local')";

    /** Batches are sorted and joined by hash; what the administrator set is never lowered. */
    private static final String MEMORY = "SELECT pg_catalog.set_config('work_mem', '64MB', false)"
            + " WHERE pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) < pg_catalog.pg_size_bytes('64MB')";

    private final Connector connector;
    private final Map<String, NodeAddress> nodes;
    private final Credentials service;
    private final Credentials apply;

    /**
     * Makes the access.
     *
     * @param connector opens sessions
     * @param nodes addresses by node name
     * @param service the service role
     * @param apply {@code ddlrep_apply}
     */
    public NodeAccess(Connector connector, Map<String, NodeAddress> nodes, Credentials service, Credentials apply) {
        this.connector = connector;
        this.nodes = Map.copyOf(nodes);
        this.service = service;
        this.apply = apply;
    }

    /** A session of the service role; its commits are durable. */
    public NodeSession service(String node) {
        NodeSession session = connector.open(address(node), service, "ddlrep service");
        return prepared(session, COMMON + "; " + DURABLE);
    }

    /**
     * A session of {@code ddlrep_apply}. Its commits may be lost in a crash, together with the position that they moved:
     * then the same changes are applied again.
     */
    public NodeSession apply(String node) {
        NodeSession session = connector.open(address(node), apply, "ddlrep apply");
        return prepared(session, COMMON + "; SET synchronous_commit = off; " + MEMORY);
    }

    private static NodeSession prepared(NodeSession session, String settings) {
        try {
            session.execute(settings);
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private NodeAddress address(String node) {
        NodeAddress address = nodes.get(node);
        if (address == null) {
            throw new NodeException(node, ServerError.of("08001", "the group has no node " + node), null);
        }
        return address;
    }
}
