/** Attacks on real nodes: what ordinary users try with what they may do. */
@NullMarked
package io.ddlrep.engine.security;

import org.jspecify.annotations.NullMarked;
