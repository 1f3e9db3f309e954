package io.ddlrep.driver;

import io.ddlrep.driver.session.EngineFactory;
import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.ServerError;

/** The engine that the driver uses unless it is given another one. */
final class DefaultEngine {
    static final EngineFactory FACTORY = (config, group) -> {
        throw new DdlrepException(ServerError.of("55000", "this build of ddlrep has no engine"));
    };

    private DefaultEngine() {}
}
