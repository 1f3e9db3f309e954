/** Reads what DDL statements say about objects: one reader per family of commands, over one cursor of tokens. */
@NullMarked
package io.ddlrep.parser.internal.ddl;

import org.jspecify.annotations.NullMarked;
