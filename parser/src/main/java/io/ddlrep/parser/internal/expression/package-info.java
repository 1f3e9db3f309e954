/** Names what an expression inside a DDL statement calls: a token scan, and JSqlParser's own reading of it. */
@NullMarked
package io.ddlrep.parser.internal.expression;

import org.jspecify.annotations.NullMarked;
