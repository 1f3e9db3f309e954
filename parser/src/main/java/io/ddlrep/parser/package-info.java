/**
 * Text in, values out: splits SQL as the PostgreSQL server does, classifies every statement and names the objects that
 * a DDL statement touches. The door is {@link io.ddlrep.parser.SqlParser}; {@link io.ddlrep.parser.FastPath} answers
 * "can this be DDL?" without allocating. No JDBC, no I/O.
 */
@NullMarked
package io.ddlrep.parser;

import org.jspecify.annotations.NullMarked;
