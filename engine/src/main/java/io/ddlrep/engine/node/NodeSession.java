package io.ddlrep.engine.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One session on one node. The session is raw: transactions begin and end by the SQL that is sent (BEGIN, COMMIT), and
 * nothing is sent that the caller did not ask for.
 *
 * <p>Owned by one thread at a time, except {@link #cancel()}, which any thread may call.
 *
 * <p>Statements with parameters use {@code $1}, {@code $2} … Parameters may be null, {@link String}, {@link Long},
 * {@link Integer}, {@link Boolean}, {@code byte[]} or a {@link List} of strings ({@code text[]}); anything but strings and
 * numbers is best cast in the SQL ({@code $1::pg_snapshot}). Every method throws {@link NodeException} on failure.
 */
public interface NodeSession extends AutoCloseable {
    /** The node's short name. */
    String node();

    /**
     * Sends a text as one message; it may hold several statements. Results are thrown away.
     *
     * @param sql the text, sent as it is
     */
    void execute(String sql);

    /**
     * Runs a statement, or several as one message.
     *
     * @return rows changed by the first; 0 where it changes none
     */
    long update(String sql, @Nullable Object... parameters);

    /**
     * Runs a statement and reads all its rows. The text may hold several statements, sent as one message: the rows are the
     * last one's.
     */
    List<Row> query(String sql, @Nullable Object... parameters);

    /**
     * Runs several statements as one message.
     *
     * @return the rows of each, in order; none for a statement that gives no rows
     */
    List<List<Row>> queryEach(String sql, @Nullable Object... parameters);

    /** Starts {@code COPY … TO STDOUT}; the session is busy until the source is closed. */
    CopySource copyOut(String sql);

    /** Starts {@code COPY … FROM STDIN}; the session is busy until the sink is finished or closed. */
    CopySink copyIn(String sql);

    /** What the server last said; no round trip. */
    TransactionStatus transactionStatus();

    /** Asks the server to cancel what runs in this session; may be called from any thread; never throws. */
    void cancel();

    /** True once the session cannot be used any more. */
    boolean isClosed();

    /** Ends the session; an open transaction is rolled back by the server. Never throws. */
    @Override
    void close();

    /** Data that comes out of a node. */
    interface CopySource extends AutoCloseable {
        /** The next chunk, or null at the end. */
        byte @Nullable [] next();

        /** Ends the COPY, also before its end. */
        @Override
        void close();
    }

    /** Data that goes into a node. */
    interface CopySink extends AutoCloseable {
        /** Sends a chunk. */
        void write(byte[] chunk);

        /**
         * Ends the COPY.
         *
         * @return rows copied
         */
        long finish();

        /** Cancels the COPY unless it was finished. */
        @Override
        void close();
    }
}
