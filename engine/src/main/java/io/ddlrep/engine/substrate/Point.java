package io.ddlrep.engine.substrate;

/**
 * A point of the origin's history that was recorded durably (a tick). Immutable.
 *
 * @param id the tick's number on the origin
 * @param token its random token: a replica that holds a token which the origin does not know means lost history
 * @param snapshot the {@code pg_snapshot} in its text form
 */
public record Point(long id, String token, String snapshot) {}
