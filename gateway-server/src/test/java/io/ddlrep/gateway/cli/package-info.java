/** Tests of the command line. */
@NullMarked
package io.ddlrep.gateway.cli;

import org.jspecify.annotations.NullMarked;
