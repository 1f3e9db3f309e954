package io.ddlrep.engine;

import io.ddlrep.parser.Statement;
import java.util.List;

/**
 * What a face asks for one client. The face parses; it sends here every DDL and, while an operation is open, every
 * transaction control statement (and its own equivalents, such as {@code Connection.commit()}); with no operation open it may
 * keep transaction control to itself. Used by the thread that owns the client's session; only {@link #cancel()} may be
 * called by another.
 *
 * <p>Every method throws {@link io.ddlrep.engine.node.NodeException} with the server's own error where a node refused
 * something (the node's name stands in its context when it was not the origin), and {@link DdlrepException} where ddlrep
 * did. By then the client's transaction is aborted in the server, exactly as after an error of its own, and everything is
 * rolled back on every replica.
 */
public interface ClientSession extends AutoCloseable {
    /**
     * The SQLSTATE by which the guard of an origin tells that code has run DDL on something replicated, in a statement that has
     * committed nothing before: where the statement is alone in its transaction, {@link #performCode} replicates it.
     */
    String MET_BY_CODE = "55D02";

    /** Whether an operation is open in the client's transaction: then transaction control must come here. */
    boolean isOperationOpen();

    /**
     * Runs one DDL statement. The client's session is in a transaction block (the face opened it for autocommit). Where
     * the statement concerns nothing replicated, only {@code call} is run.
     *
     * @param ddl the statement
     * @param script all statements of the same text, so that all their targets are locked at once; at least {@code ddl}
     * @param call runs the statement in the client's session
     */
    void perform(Statement.Ddl ddl, List<Statement> script, OriginCall call);

    /**
     * Runs one DDL statement that the client sent in autocommit: as BEGIN, {@link #perform} and {@link #commit} would,
     * except that a statement which concerns nothing replicated is run as it came, without a transaction block around it, as is
     * CREATE INDEX CONCURRENTLY. DROP INDEX CONCURRENTLY and DETACH PARTITION … CONCURRENTLY are run in the form that can be
     * in a transaction: what waits for their locks waits in slices.
     */
    void performAutocommit(Statement.Ddl ddl, OriginStatement call);

    /**
     * Runs once more, as an operation, a statement that is not DDL but runs code that is, as CALL or {@code SELECT f()} may.
     * Sent as it came, in autocommit, it has met the guard and was undone ({@link #MET_BY_CODE}). What it did besides, which a
     * rollback does not undo (sequences, notices), is done twice.
     *
     * @param statement the statement, alone in its transaction
     * @param call runs it in the client's session
     */
    void performCode(Statement statement, OriginCall call);

    /**
     * Ends the client's transaction.
     *
     * @param call sends the client's own COMMIT; must leave the session outside a transaction
     */
    void commit(OriginCall call);

    /** Rolls the client's transaction back on every node. */
    void rollback(OriginCall call);

    /** SAVEPOINT. */
    void savepoint(String name, OriginCall call);

    /** ROLLBACK TO SAVEPOINT. */
    void rollbackTo(String name, OriginCall call);

    /** RELEASE SAVEPOINT. */
    void release(String name, OriginCall call);

    /**
     * Cancels what the operation does on any node, and waits for up to ten seconds until that has ended; any thread. From the
     * client's COMMIT on nothing is cancelled.
     */
    void cancel();

    /** Ends the session: an open operation is rolled back on the replicas. The client's own session is left alone. */
    @Override
    void close();
}
