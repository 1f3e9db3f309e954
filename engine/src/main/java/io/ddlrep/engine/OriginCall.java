package io.ddlrep.engine;

/**
 * The client's own statement, run by the face in the client's session in the form in which it came (text, prepared
 * statement, wire messages). Called at most once, on the thread that handed it in.
 */
@FunctionalInterface
public interface OriginCall {
    /**
     * Runs it and keeps its result for the client.
     *
     * @throws io.ddlrep.engine.node.NodeException when the origin refuses it
     */
    void run();
}
