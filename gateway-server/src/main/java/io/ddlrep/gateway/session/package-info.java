/** One client's session: its connection and the one to the origin, both on one event loop. */
@NullMarked
package io.ddlrep.gateway.session;

import org.jspecify.annotations.NullMarked;
