/** Requests to cancel. */
@NullMarked
package io.ddlrep.gateway.cancel;

import org.jspecify.annotations.NullMarked;
