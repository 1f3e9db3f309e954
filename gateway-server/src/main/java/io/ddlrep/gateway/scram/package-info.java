/** SCRAM-SHA-256 (RFC 5802, RFC 7677), both sides of it, as PostgreSQL speaks it. */
@NullMarked
package io.ddlrep.gateway.scram;

import org.jspecify.annotations.NullMarked;
