/** The machinery behind the parser's door; not for use from other modules. */
@NullMarked
package io.ddlrep.parser.internal;

import org.jspecify.annotations.NullMarked;
