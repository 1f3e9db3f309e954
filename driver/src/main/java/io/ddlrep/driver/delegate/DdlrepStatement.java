package io.ddlrep.driver.delegate;

import io.ddlrep.driver.session.DriverSession;
import io.ddlrep.driver.session.Piece;
import io.ddlrep.driver.session.SqlText;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose texts are looked at before they run. What is neither DDL nor, while an operation is open, transaction
 * control goes to pgjdbc's statement as it came. One thread at a time, but for {@link #cancel()}.
 */
class DdlrepStatement extends DelegatingStatement {
    private final DdlrepConnection connection;
    private final @Nullable DriverSession session;
    private final List<String> batch = new ArrayList<>();
    /** The results of a text that we ran; null while pgjdbc's statement holds them. */
    private @Nullable Results results;

    private @Nullable SQLWarning warnings;
    private @Nullable ResultSet lastRaw;
    private @Nullable DdlrepResultSet last;
    private boolean escapes = true;
    private volatile @Nullable Routed running;

    DdlrepStatement(DdlrepConnection connection, Statement delegate) {
        super(delegate);
        this.connection = connection;
        this.session = connection.session();
    }

    // Execution

    /** An execution by pgjdbc. */
    @FunctionalInterface
    interface Passing<T> {
        T run() throws SQLException;
    }

    /** An execution by the engine's rules. */
    @FunctionalInterface
    interface Ruled<T> {
        T run(SqlText text) throws SQLException;
    }

    private <T> T execute(String sql, Passing<T> passing, Ruled<T> ruled) throws SQLException {
        SqlText text = look(sql);
        return text == null ? passing(sql, passing, ruled) : ruled.run(text);
    }

    /** Runs what passes, and where its code has met the guard once more by the engine's rules. */
    final <T> T passing(String sql, Passing<T> passing, Ruled<T> ruled) throws SQLException {
        try {
            return passing.run();
        } catch (SQLException e) {
            SqlText code = session == null ? null : session.codeOf(sql, e);
            if (code == null) {
                throw e;
            }
            return ruled.run(code);
        }
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        return execute(sql, () -> delegate.execute(sql), text -> routed(text, Statement::execute));
    }

    @Override
    public boolean execute(String sql, int keys) throws SQLException {
        return execute(
                sql, () -> delegate.execute(sql, keys), text -> routed(text, (raw, piece) -> raw.execute(piece, keys)));
    }

    @Override
    public boolean execute(String sql, int[] keys) throws SQLException {
        return execute(
                sql, () -> delegate.execute(sql, keys), text -> routed(text, (raw, piece) -> raw.execute(piece, keys)));
    }

    @Override
    public boolean execute(String sql, String[] keys) throws SQLException {
        return execute(
                sql, () -> delegate.execute(sql, keys), text -> routed(text, (raw, piece) -> raw.execute(piece, keys)));
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        return execute(sql, () -> rows(delegate.executeQuery(sql)), text -> {
            routed(text, Statement::execute);
            return onlyResultSet();
        });
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        return execute(sql, () -> delegate.executeUpdate(sql), text -> Results.toInt(update(text, Statement::execute)));
    }

    @Override
    public int executeUpdate(String sql, int keys) throws SQLException {
        return execute(
                sql,
                () -> delegate.executeUpdate(sql, keys),
                text -> Results.toInt(update(text, (raw, piece) -> raw.execute(piece, keys))));
    }

    @Override
    public int executeUpdate(String sql, int[] keys) throws SQLException {
        return execute(
                sql,
                () -> delegate.executeUpdate(sql, keys),
                text -> Results.toInt(update(text, (raw, piece) -> raw.execute(piece, keys))));
    }

    @Override
    public int executeUpdate(String sql, String[] keys) throws SQLException {
        return execute(
                sql,
                () -> delegate.executeUpdate(sql, keys),
                text -> Results.toInt(update(text, (raw, piece) -> raw.execute(piece, keys))));
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        return execute(sql, () -> delegate.executeLargeUpdate(sql), text -> update(text, Statement::execute));
    }

    @Override
    public long executeLargeUpdate(String sql, int keys) throws SQLException {
        return execute(
                sql,
                () -> delegate.executeLargeUpdate(sql, keys),
                text -> update(text, (raw, piece) -> raw.execute(piece, keys)));
    }

    @Override
    public long executeLargeUpdate(String sql, int[] keys) throws SQLException {
        return execute(
                sql,
                () -> delegate.executeLargeUpdate(sql, keys),
                text -> update(text, (raw, piece) -> raw.execute(piece, keys)));
    }

    @Override
    public long executeLargeUpdate(String sql, String[] keys) throws SQLException {
        return execute(
                sql,
                () -> delegate.executeLargeUpdate(sql, keys),
                text -> update(text, (raw, piece) -> raw.execute(piece, keys)));
    }

    /** The text where it must be run by the engine's rules, else null. */
    @Nullable
    SqlText look(String sql) throws SQLException {
        if (session == null) {
            return null;
        }
        SqlText text = session.parse(sql);
        return concerned(text) ? text : null;
    }

    /** Whether a text that was parsed before must be run by the engine's rules now; forgets the results so far. */
    final boolean concerned(@Nullable SqlText text) throws SQLException {
        forgetResults();
        return text != null && session != null && session.concerns(text);
    }

    final boolean routed(SqlText text, Form form) throws SQLException {
        Routed work = Routed.text(this, text, form);
        return route(work, work.pieces());
    }

    final boolean route(Routed work, List<Piece> pieces) throws SQLException {
        if (session == null) {
            throw new IllegalStateException("no session");
        }
        closeRawResults();
        running = work;
        try {
            session.run(pieces, work, delegate.getQueryTimeout());
        } catch (SQLException e) {
            work.discard();
            throw e;
        } finally {
            running = null;
            warnings = work.warnings();
        }
        results = work.results();
        return getResultSet() != null;
    }

    private long update(SqlText text, Form form) throws SQLException {
        routed(text, form);
        return onlyUpdateCount();
    }

    final ResultSet onlyResultSet() throws SQLException {
        Results own = results;
        ResultSet rows = own == null ? getResultSet() : rows(own.only());
        if (rows == null) {
            throw Results.none();
        }
        return rows;
    }

    final long onlyUpdateCount() throws SQLException {
        Results own = results;
        if (own == null ? delegate.getResultSet() != null : own.anyRows()) {
            throw Results.unexpected();
        }
        return getLargeUpdateCount();
    }

    private void forgetResults() throws SQLException {
        warnings = null;
        if (results != null) {
            results.close();
            results = null;
        }
    }

    /** Closes what pgjdbc's statement still holds of an earlier execution. */
    private void closeRawResults() throws SQLException {
        if (delegate.getResultSet() != null || delegate.getUpdateCount() != -1) {
            boolean more = true;
            while (more) {
                more = delegate.getMoreResults(Statement.CLOSE_ALL_RESULTS) || delegate.getUpdateCount() != -1;
            }
        }
        delegate.clearWarnings();
    }

    // Results

    @Override
    public @Nullable ResultSet getResultSet() throws SQLException {
        return resultSet(results == null ? delegate.getResultSet() : results.rows());
    }

    @Override
    public int getUpdateCount() throws SQLException {
        return results == null ? delegate.getUpdateCount() : Results.toInt(results.count());
    }

    @Override
    public long getLargeUpdateCount() throws SQLException {
        return results == null ? delegate.getLargeUpdateCount() : results.count();
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        return results == null ? delegate.getMoreResults() : results.more(CLOSE_ALL_RESULTS);
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        return results == null ? delegate.getMoreResults(current) : results.more(current);
    }

    @Override
    protected final @Nullable ResultSet resultSet(@Nullable ResultSet raw) {
        return raw == null ? null : rows(raw);
    }

    /** Our form of a result set; the same object as long as pgjdbc's is the same. */
    final ResultSet rows(ResultSet raw) {
        DdlrepResultSet known = last;
        if (known == null || raw != lastRaw) {
            known = new DdlrepResultSet(connection, this, raw);
            last = known;
            lastRaw = raw;
        }
        return known;
    }

    protected @Nullable Array array(@Nullable Array raw) {
        return connection.array(raw);
    }

    protected <T> @Nullable T object(@Nullable T raw) {
        return connection.object(raw);
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        SQLWarning theirs = delegate.getWarnings();
        SQLWarning ours = warnings;
        if (theirs == null || ours == null) {
            return theirs == null ? ours : theirs;
        }
        for (SQLWarning at = theirs; at != null; at = at.getNextWarning()) {
            if (at == ours) {
                return theirs;
            }
        }
        theirs.setNextWarning(ours);
        return theirs;
    }

    @Override
    public void clearWarnings() throws SQLException {
        delegate.clearWarnings();
        warnings = null;
    }

    // Batches

    @Override
    public void addBatch(String sql) throws SQLException {
        delegate.addBatch(sql);
        if (session != null) {
            batch.add(sql);
        }
    }

    @Override
    public void clearBatch() throws SQLException {
        delegate.clearBatch();
        batch.clear();
    }

    @Override
    public int[] executeBatch() throws SQLException {
        Batch own = ownBatch();
        if (own == null) {
            return delegate.executeBatch();
        }
        return own.intCounts();
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        Batch own = ownBatch();
        return own == null ? delegate.executeLargeBatch() : own.counts();
    }

    /** The batch after it was run by the engine's rules; null where nothing in it concerns the engine. */
    private @Nullable Batch ownBatch() throws SQLException {
        forgetResults();
        List<String> entries = List.copyOf(batch);
        batch.clear();
        Batch own = session == null ? null : batchOf(session, entries);
        if (own != null) {
            delegate.clearBatch();
            own.run(this);
        }
        return own;
    }

    /** The batch where it must be run by the engine's rules, else null. */
    @Nullable
    Batch batchOf(DriverSession own, List<String> entries) {
        return Batch.of(own, entries);
    }

    // Everything else

    @Override
    public void cancel() throws SQLException {
        Routed work = running;
        if (work == null) {
            delegate.cancel();
        } else if (session != null && session.isWorking()) {
            session.cancel();
        } else {
            work.cancel();
        }
    }

    @Override
    public void setEscapeProcessing(boolean enable) throws SQLException {
        delegate.setEscapeProcessing(enable);
        escapes = enable;
    }

    /** A statement of pgjdbc's with the same settings, for one piece of a script. */
    Statement sibling() throws SQLException {
        Statement raw = connection.delegate.createStatement(
                delegate.getResultSetType(), delegate.getResultSetConcurrency(), delegate.getResultSetHoldability());
        raw.setEscapeProcessing(escapes);
        raw.setMaxRows(delegate.getMaxRows());
        raw.setMaxFieldSize(delegate.getMaxFieldSize());
        // With autocommit the transaction ends with the script, and a cursor would end with it.
        raw.setFetchSize(connection.getAutoCommit() ? 0 : delegate.getFetchSize());
        raw.setQueryTimeout(delegate.getQueryTimeout());
        return raw;
    }

    @Override
    public Connection getConnection() throws SQLException {
        delegate.getConnection();
        return connection;
    }

    @Override
    public void close() throws SQLException {
        forgetResults();
        delegate.close();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : delegate.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || delegate.isWrapperFor(type);
    }
}
