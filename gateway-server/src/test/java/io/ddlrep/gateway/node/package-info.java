/** Sessions of both kinds under one contract. */
@NullMarked
package io.ddlrep.gateway.node;

import org.jspecify.annotations.NullMarked;
