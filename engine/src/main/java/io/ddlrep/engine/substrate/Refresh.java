package io.ddlrep.engine.substrate;

import java.util.List;

/**
 * What a DDL statement makes necessary. Texts are sent through {@code ddlrep.run()}; empty where nothing is to be done.
 * Immutable.
 *
 * @param originSql triggers, functions, shadow generation and control rows of the origin
 * @param replicaSql deny triggers, apply functions and control rows of every replica: one text for all
 * @param tables the touched replicated tables as they are now, relid of the origin; dropped ones are absent
 */
public record Refresh(String originSql, String replicaSql, List<ReplicatedTable> tables) {}
