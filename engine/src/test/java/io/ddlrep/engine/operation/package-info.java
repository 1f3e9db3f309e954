/** Tests of the DDL operation on real nodes. */
@NullMarked
package io.ddlrep.engine.operation;

import org.jspecify.annotations.NullMarked;
