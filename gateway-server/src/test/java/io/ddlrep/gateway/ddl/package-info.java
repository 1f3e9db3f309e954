@NullMarked
package io.ddlrep.gateway.ddl;

import org.jspecify.annotations.NullMarked;
