package io.ddlrep.engine;

import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import java.util.Map;
import java.util.Optional;

/**
 * What a face gives the engine. Immutable.
 *
 * @param settings defaults for every session
 * @param service credentials of the service role; empty: the work of the service is asked of a running replicator
 * @param apply credentials of {@code ddlrep_apply}; only used with {@code service}
 * @param addresses addresses that override those of the control schema, by node name
 * @param connector opens sessions
 * @param coordinator how this process calls itself in the journal, such as {@code driver@host:4711}
 */
public record EngineConfig(
        OperationSettings settings,
        Optional<Credentials> service,
        Credentials apply,
        Map<String, NodeAddress> addresses,
        Connector connector,
        String coordinator) {}
