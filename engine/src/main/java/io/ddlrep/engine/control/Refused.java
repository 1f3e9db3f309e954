package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.util.List;

/** Makes the refusals of this package. Stateless. */
final class Refused {
    private Refused() {}

    /** 55000: the node is not in a state for what was asked. */
    static NodeException notReady(String node, String message, List<String> detail, String hint) {
        ServerError error = ServerError.of("55000", "ddlrep: " + message);
        return new NodeException(
                node,
                error.with(detail.isEmpty() ? null : String.join("\n", detail), hint.isEmpty() ? null : hint),
                null);
    }
}
