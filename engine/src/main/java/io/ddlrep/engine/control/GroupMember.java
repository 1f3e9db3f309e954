package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;

/**
 * A node while a group is made or changed: its address and a superuser's session on it, which stays the caller's. Used
 * by one thread.
 *
 * @param address name and address, as other nodes and clients will use it
 * @param session a superuser's, outside a transaction
 */
public record GroupMember(NodeAddress address, NodeSession session) {
    /** The node's short name. */
    public String name() {
        return address.name();
    }
}
