/** Frames of the PostgreSQL protocol, version 3: only what a gateway must know of them. */
@NullMarked
package io.ddlrep.gateway.wire;

import org.jspecify.annotations.NullMarked;
