package io.ddlrep.driver;

import io.ddlrep.driver.session.EngineFactory;
import io.ddlrep.engine.operation.TriggerEngine;
import io.ddlrep.engine.replication.TriggerSubstrate;

/** The engine that the driver uses unless it is given another one: capture triggers and shadow tables. */
final class DefaultEngine {
    static final EngineFactory FACTORY = (config, group) -> TriggerEngine.open(config, group, TriggerSubstrate::of);

    private DefaultEngine() {}
}
