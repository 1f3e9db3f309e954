package io.ddlrep.engine;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.node.CompanionConnector;
import io.ddlrep.engine.node.NodeSession;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The façade: one per group and process. Thread-safe.
 */
public interface DdlEngine extends AutoCloseable {
    /** The group as it was when the engine was opened or last saw it change. */
    Group group();

    /**
     * Opens the engine's side of a client's session.
     *
     * @param client the client's session on the origin; stays the face's
     * @param companions opens companion sessions as the client
     * @param notices is told what to show the client
     */
    ClientSession open(NodeSession client, CompanionConnector companions, Consumer<Notice> notices);

    /** Closes the sessions of the engine's own. */
    @Override
    void close();

    /** Reads what a node's control schema says; empty where there is none. */
    static Optional<Group> groupOf(NodeSession session) {
        return GroupReader.read(session);
    }
}
