/** Logins at the gateway. */
@NullMarked
package io.ddlrep.gateway.startup;

import org.jspecify.annotations.NullMarked;
