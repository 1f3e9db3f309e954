/**
 * The command line. {@link io.ddlrep.gateway.cli.Main} is the door; each command is one class. Connection strings are
 * libpq's: {@link io.ddlrep.gateway.cli.ConnInfo} reads them, {@link io.ddlrep.gateway.cli.ConnDefaults} fills in what
 * service files, the environment and password files say.
 */
@NullMarked
package io.ddlrep.gateway.cli;

import org.jspecify.annotations.NullMarked;
