package io.ddlrep.engine.substrate;

import java.util.Optional;

/**
 * How far a replica is in a publication, as its substrate writes it. Immutable.
 *
 * @param position opaque to everybody else; empty where the replica has not begun
 */
public record Standing(Optional<String> position) {}
