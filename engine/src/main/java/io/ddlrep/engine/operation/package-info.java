/**
 * The DDL operation: {@link io.ddlrep.engine.operation.TriggerEngine} is the door, {@code Operation} runs the steps of
 * {@code docs/protocol.md}, one class for each.
 */
@NullMarked
package io.ddlrep.engine.operation;

import org.jspecify.annotations.NullMarked;
