package io.ddlrep.driver.session;

import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.control.Group;

/** Opens the engine of a group. Thread-safe. */
@FunctionalInterface
public interface EngineFactory {
    /**
     * Opens an engine.
     *
     * @param config what the connection's properties say
     * @param group the group as the origin's control schema tells it
     */
    DdlEngine open(EngineConfig config, Group group);
}
