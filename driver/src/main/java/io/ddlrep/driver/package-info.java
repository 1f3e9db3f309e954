/**
 * The {@code jdbc:ddlrep:} driver: {@link io.ddlrep.driver.DdlrepDriver} and {@link io.ddlrep.driver.DdlrepDataSource}
 * open connections that behave as pgjdbc's, except that DDL of replicated tables changes every node of the group or none.
 */
@NullMarked
package io.ddlrep.driver;

import org.jspecify.annotations.NullMarked;
