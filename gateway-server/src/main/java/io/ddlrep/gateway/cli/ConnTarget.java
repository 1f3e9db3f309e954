package io.ddlrep.gateway.cli;

import io.ddlrep.engine.node.NodeAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where and as whom to connect, complete. Immutable; prints no password.
 *
 * @param place host, port, database
 * @param user the role
 * @param password its password, where one was given
 * @param passfile the password file, where one was given
 * @param properties pgjdbc's connection properties
 */
record ConnTarget(
        Place place, String user, Optional<String> password, Optional<Path> passfile, Map<String, String> properties) {
    ConnTarget {
        properties = Map.copyOf(properties);
    }

    /**
     * A database on a server.
     *
     * @param host name or address
     * @param port TCP port
     * @param database its name
     */
    record Place(String host, int port, String database) {
        /** As the address of a node. */
        NodeAddress named(String node) {
            return new NodeAddress(node, host, port, database);
        }

        /** The place of an address. */
        static Place of(NodeAddress address) {
            return new Place(address.host(), address.port(), address.database());
        }
    }

    @Override
    public String toString() {
        return "ConnTarget[" + place + ", user=" + user + "]";
    }
}
