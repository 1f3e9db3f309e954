/** The parser against the server: what it says of a text, and what the server makes of it. */
@NullMarked
package io.ddlrep.engine.differential;

import org.jspecify.annotations.NullMarked;
