package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeSession;

/**
 * A companion session of one operation. Immutable; the session has one user at a time.
 *
 * @param node the replica's name
 * @param link the session with its tickets
 * @param gid the prepared transaction's name
 */
record Companion(String node, Link link, OperationId.Gid gid) {
    NodeSession session() {
        return link.session();
    }
}
