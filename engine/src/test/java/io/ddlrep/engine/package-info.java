/** Tests of the engine as a whole. */
@NullMarked
package io.ddlrep.engine;

import org.jspecify.annotations.NullMarked;
