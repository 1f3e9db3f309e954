package io.ddlrep.gateway.cli;

import io.ddlrep.engine.node.Credentials;
import java.util.Optional;

/** How {@code ddlrep_apply} logs in: {@code DDLREP_APPLY_PASSWORD}, else the password file. Stateless. */
final class ApplyCredentials {
    static final String ROLE = "ddlrep_apply";
    static final String VARIABLE = "DDLREP_APPLY_PASSWORD";

    private ApplyCredentials() {}

    static Credentials of(ConnDefaults defaults, ConnTarget target, ConnTarget.Place place) {
        Optional<String> given = defaults.variable(VARIABLE);
        return new Credentials(ROLE, given.isPresent() ? given.get() : defaults.password(target, place, ROLE));
    }
}
