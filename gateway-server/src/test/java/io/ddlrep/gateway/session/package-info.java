/** Clients of every kind through the gateway. */
@NullMarked
package io.ddlrep.gateway.session;

import org.jspecify.annotations.NullMarked;
