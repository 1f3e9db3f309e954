/** Tests of the driver, on real servers. */
@NullMarked
package io.ddlrep.driver;

import org.jspecify.annotations.NullMarked;
