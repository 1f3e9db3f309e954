/**
 * How rows travel: {@link io.ddlrep.engine.replication.TriggerSubstrate} brings replicas to a point, carries a client's own
 * rows and follows new shapes; {@link io.ddlrep.engine.replication.Replicator} does so all the time.
 */
@NullMarked
package io.ddlrep.engine.replication;

import org.jspecify.annotations.NullMarked;
