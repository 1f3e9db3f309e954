/** What comes before a session: requests for encryption and to cancel, and the startup packet. */
@NullMarked
package io.ddlrep.gateway.startup;

import org.jspecify.annotations.NullMarked;
