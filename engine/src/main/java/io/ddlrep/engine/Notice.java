package io.ddlrep.engine;

/**
 * Something to tell the client: a NOTICE of the gateway, an SQLWarning of the driver. Immutable.
 *
 * @param text the message, beginning with {@code ddlrep: }
 */
public record Notice(String text) {}
