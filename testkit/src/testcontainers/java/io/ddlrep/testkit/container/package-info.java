/** Servers in containers; compiled only with {@code -Ptestcontainers}. */
@NullMarked
package io.ddlrep.testkit.container;

import org.jspecify.annotations.NullMarked;
