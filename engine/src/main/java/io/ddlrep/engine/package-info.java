/**
 * Everything that is ddlrep. A face opens a {@link io.ddlrep.engine.DdlEngine} for a group and a
 * {@link io.ddlrep.engine.ClientSession} for each client; whatever is not DDL or transaction control never comes here.
 */
@NullMarked
package io.ddlrep.engine;

import org.jspecify.annotations.NullMarked;
