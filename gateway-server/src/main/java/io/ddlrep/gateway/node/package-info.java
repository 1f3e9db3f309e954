/** The engine's port to a node, spoken in the wire protocol. */
@NullMarked
package io.ddlrep.gateway.node;

import org.jspecify.annotations.NullMarked;
