/**
 * How rows travel, as a port: {@link io.ddlrep.engine.substrate.Substrate}. The DDL operation knows nothing of triggers
 * and shadow tables; it asks here.
 */
@NullMarked
package io.ddlrep.engine.substrate;

import org.jspecify.annotations.NullMarked;
