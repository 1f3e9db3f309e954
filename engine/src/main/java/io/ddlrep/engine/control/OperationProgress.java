package io.ddlrep.engine.control;

/**
 * What one node does for an operation that has no result yet. Immutable.
 *
 * @param node its short name
 * @param pid the backend that works there for the client
 * @param state as pg_stat_activity has it; or that the backend is gone; or why the node was not reached
 * @param waits wait event's type and name, or empty
 * @param blockers sessions that it waits for, or empty
 * @param command what pg_stat_progress_create_index says that it runs, or empty
 * @param phase of that, or empty
 * @param unit of the two next: blocks, rows or lockers
 * @param done how many of them are done
 * @param total how many there are, or 0 where the server does not know
 */
public record OperationProgress(
        String node,
        long pid,
        String state,
        String waits,
        String blockers,
        String command,
        String phase,
        String unit,
        long done,
        long total) {
    static OperationProgress of(String node, long pid, String state) {
        return new OperationProgress(node, pid, state, "", "", "", "", "", 0, 0);
    }
}
