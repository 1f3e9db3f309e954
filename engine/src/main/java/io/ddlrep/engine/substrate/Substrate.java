package io.ddlrep.engine.substrate;

import io.ddlrep.engine.node.Fan;
import io.ddlrep.engine.node.NodeSession;
import java.util.Collection;
import java.util.List;

/**
 * How rows travel between the nodes of one group: bring replicas to a point, carry a client's own rows, follow a new
 * shape. Thread-safe: operations and the replicator use it at the same time.
 */
public interface Substrate extends AutoCloseable {
    /**
     * How far a replica is. It may be further by the time of the answer, never less far.
     *
     * @param publication the publication
     * @param replica the replica's name
     */
    Standing standing(String publication, String replica);

    /**
     * Whether a replica that stands there lacks changes that are committed on the origin now. Asks the origin only; reads
     * only, records nothing. A standing that was taken earlier may say yes where the replica has caught up since.
     *
     * @param publication the publication
     * @param standing of the replica
     */
    boolean isBehind(String publication, Standing standing);

    /** Takes a snapshot of the origin and records it durably there. */
    Point mark();

    /**
     * Applies to a replica all changes of transactions that are visible at a point and that it does not have yet, and
     * commits them there with the new position; returns at once where the replica is already there or further.
     *
     * @return changes read
     * @throws io.ddlrep.engine.node.NodeException when a node fails; nothing of the batch is applied then
     * @throws LostHistoryException when the origin does not know the replica's position
     */
    long synchronize(String publication, String replica, Point upTo);

    /**
     * SQL for the origin, run through {@link OperationSession#run} before a DDL statement: drops what of ours on these
     * tables would stand in the statement's way. Writers are locked out by then.
     */
    String unhook(Collection<ReplicatedTable> tables);

    /**
     * SQL for every node, run through {@link OperationSession#run} before a DDL statement that drops roles: takes rights on
     * passing objects of ours away from them, with which they could not be dropped.
     */
    String release(Collection<String> roles);

    /**
     * Reads the tables' new shapes in the client's session, after the statement, and says what to rebuild.
     *
     * @param origin the client's session, which sees its own uncommitted DDL
     */
    Refresh refresh(NodeSession origin, RefreshRequest request);

    /**
     * Whether the client's transaction has written such rows. Cheap; reads only.
     *
     * @param origin the client's session
     */
    boolean hasOwnRows(OperationSession origin, OwnRows own);

    /**
     * Carries the client's own, uncommitted rows to all companions, as row images, in the client's and the companions'
     * transactions. To be called right after a drain.
     *
     * @param origin the client's session
     * @param companions one per replica
     * @param own which rows
     * @param fan works on all companions at once
     */
    Carried carry(OperationSession origin, List<? extends OperationSession> companions, OwnRows own, Fan fan);

    /**
     * Writes as the client's own change that a table was emptied, so that {@link #carry} empties it for the companions. The
     * caller sees to it that {@link #reimage} brings its rows later.
     *
     * @param origin the client's session on the origin
     * @param table the table as the companions still have it; not a partition
     */
    void empty(OperationSession origin, ReplicatedTable table);

    /**
     * Writes all rows of a table as the client's own changes, behind a barrier that empties it first, so that values which
     * the origin computed (volatile defaults, CREATE TABLE AS) travel as rows: {@link #carry} takes them to the companions,
     * and a replay finds them in the stream. To be called after the refresh that follows the statement.
     *
     * @param origin the client's session on the origin
     * @param table the table as the refresh left it; not a partition
     */
    void reimage(OperationSession origin, ReplicatedTable table);

    /** Ends the substrate's own sessions. */
    @Override
    void close();
}
