/** The virtual database {@code ddlrep}: what the gateway and its group say of themselves, in SQL. */
@NullMarked
package io.ddlrep.gateway.admin;

import org.jspecify.annotations.NullMarked;
