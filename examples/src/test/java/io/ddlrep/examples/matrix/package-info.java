/** Each form of a DDL command on three nodes: what comes of it, and the page that says so. */
@NullMarked
package io.ddlrep.examples.matrix;

import org.jspecify.annotations.NullMarked;
