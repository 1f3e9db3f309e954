package io.ddlrep.gateway.cli;

import io.ddlrep.engine.node.Credentials;
import java.util.Optional;

/** How {@code ddlrep_service} logs in where another role was given: {@code DDLREP_SERVICE_PASSWORD}. Stateless. */
final class ServiceCredentials {
    static final String ROLE = "ddlrep_service";
    static final String VARIABLE = "DDLREP_SERVICE_PASSWORD";

    private ServiceCredentials() {}

    static Optional<Credentials> of(ConnDefaults defaults) {
        return defaults.variable(VARIABLE).map(password -> new Credentials(ROLE, password));
    }
}
