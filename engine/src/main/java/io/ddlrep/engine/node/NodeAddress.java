package io.ddlrep.engine.node;

/**
 * Where a node is. Holds no password. Immutable.
 *
 * @param name the node's short name
 * @param host host name, address, or the directory of a Unix socket
 * @param port TCP port
 * @param database database name
 */
public record NodeAddress(String name, String host, int port, String database) {
    @Override
    public String toString() {
        return name + " (" + host + ":" + port + "/" + database + ")";
    }
}
