/**
 * How changes are captured on the origin and applied on replicas: the shape of a table, and the SQL of triggers, shadow
 * tables and apply functions that is made from it. Pure text and catalog reads; nothing here opens sessions.
 */
@NullMarked
package io.ddlrep.engine.capture;

import org.jspecify.annotations.NullMarked;
