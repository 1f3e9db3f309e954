/** The gateway: one PostgreSQL endpoint in front of a group. */
@NullMarked
package io.ddlrep.gateway;

import org.jspecify.annotations.NullMarked;
