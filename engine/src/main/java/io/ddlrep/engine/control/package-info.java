/** The control schema: installing, upgrading and reading it. */
@NullMarked
package io.ddlrep.engine.control;

import org.jspecify.annotations.NullMarked;
