package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.scram.Verifier;
import java.util.concurrent.CompletionStage;

/** Where verifiers come from. Thread-safe; never blocks the caller. */
@FunctionalInterface
public interface Verifiers {
    /**
     * The verifier of a role that may log in by one, or a mock for every other name.
     *
     * @param user the name as it was given
     * @return fails where the origin cannot be asked
     */
    CompletionStage<Verifier> of(String user);
}
