package io.ddlrep.gateway.http;

import java.util.Optional;

/** Whether clients should be sent to this gateway. Thread-safe; may block. */
@FunctionalInterface
public interface Health {
    /** Why not; empty where they should. */
    Optional<String> problem();
}
