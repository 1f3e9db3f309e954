/** DDL while applications write: what they committed is kept apart from the nodes, and compared with them at the end. */
@NullMarked
package io.ddlrep.examples.load;

import org.jspecify.annotations.NullMarked;
