package io.ddlrep.engine.substrate;

import java.util.List;

/**
 * After a DDL statement: which tables it touched. Immutable.
 *
 * @param op the operation
 * @param before replicated tables that the statement may have changed, renamed or dropped, as they were before it
 * @param joining relids (origin) of tables that are not replicated yet and shall join
 * @param joiningIds table ids for these, in the same order
 * @param publication the publication that they join; any name when {@code joining} is empty
 */
public record RefreshRequest(
        String op, List<ReplicatedTable> before, List<Long> joining, List<Long> joiningIds, String publication) {}
