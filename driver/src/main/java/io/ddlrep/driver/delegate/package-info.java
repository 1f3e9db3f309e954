/**
 * The JDBC objects that the client holds. The {@code Delegating…} classes are written by the build and hand every call
 * to pgjdbc's object; the {@code Ddlrep…} classes spell out only the methods that decide something.
 */
@NullMarked
package io.ddlrep.driver.delegate;

import org.jspecify.annotations.NullMarked;
