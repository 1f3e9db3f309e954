/**
 * Groups of real PostgreSQL nodes for tests, for the demo and for {@code dev}. The door is
 * {@link io.ddlrep.testkit.PgGroup}: fresh databases on shared servers, on servers of its own, or on an external group.
 */
@NullMarked
package io.ddlrep.testkit;

import org.jspecify.annotations.NullMarked;
