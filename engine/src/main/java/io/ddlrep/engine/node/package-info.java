/**
 * The ports to a node: {@link io.ddlrep.engine.node.NodeSession} is one session on one node, and
 * {@link io.ddlrep.engine.node.Connector} opens them. Nothing here knows JDBC, channels or futures.
 */
@NullMarked
package io.ddlrep.engine.node;

import org.jspecify.annotations.NullMarked;
