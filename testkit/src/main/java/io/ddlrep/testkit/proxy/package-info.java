/**
 * A TCP proxy in front of a node that can be slow, silent or broken on purpose. The door is
 * {@link io.ddlrep.testkit.proxy.FaultProxy}.
 */
@NullMarked
package io.ddlrep.testkit.proxy;

import org.jspecify.annotations.NullMarked;
