package io.ddlrep.driver.session;

import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import java.util.Map;
import java.util.Optional;

/**
 * What two connections must have in common to share an engine. Immutable.
 *
 * @param groupId the group
 * @param origin the node that the client is connected to
 * @param settings defaults of the options
 * @param service credentials of the service role
 * @param apply credentials of the role that applies rows
 * @param addresses overridden addresses
 * @param connection pgjdbc's properties for the engine's own connections
 */
public record EngineKey(
        String groupId,
        String origin,
        OperationSettings settings,
        Optional<Credentials> service,
        Credentials apply,
        Map<String, NodeAddress> addresses,
        Map<String, String> connection) {
    @Override
    public String toString() {
        // The properties may hold passwords of key stores.
        return "EngineKey[" + groupId + " at " + origin + "]";
    }
}
