/** Tests of the control schema on real nodes. */
@NullMarked
package io.ddlrep.engine.control;

import org.jspecify.annotations.NullMarked;
