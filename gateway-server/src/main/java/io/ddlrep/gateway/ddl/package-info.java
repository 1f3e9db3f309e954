/** What stands between a client's messages and the engine. */
@NullMarked
package io.ddlrep.gateway.ddl;

import org.jspecify.annotations.NullMarked;
