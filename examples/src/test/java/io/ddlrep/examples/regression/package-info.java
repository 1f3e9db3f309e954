/** PostgreSQL's regression scripts on a group. */
@NullMarked
package io.ddlrep.examples.regression;

import org.jspecify.annotations.NullMarked;
