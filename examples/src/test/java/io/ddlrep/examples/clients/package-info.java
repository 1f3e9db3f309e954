/** The clients of {@code examples/clients}, run as tests. */
@NullMarked
package io.ddlrep.examples.clients;

import org.jspecify.annotations.NullMarked;
