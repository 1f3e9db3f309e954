/** The ports over pgjdbc. The only package of the module that imports {@code java.sql}. */
@NullMarked
package io.ddlrep.engine.jdbc;

import org.jspecify.annotations.NullMarked;
