/**
 * What stands between a JDBC connection and the engine: {@link io.ddlrep.driver.session.DriverSession} turns JDBC's verbs
 * and SQL texts into those of the engine's client session.
 */
@NullMarked
package io.ddlrep.driver.session;

import org.jspecify.annotations.NullMarked;
