/**
 * One real PostgreSQL server process at a time: its binaries, data directory, settings, start, stop and sudden death.
 * The door is {@link io.ddlrep.testkit.server.PgServer}. Linux only, as root or as an ordinary user.
 */
@NullMarked
package io.ddlrep.testkit.server;

import org.jspecify.annotations.NullMarked;
