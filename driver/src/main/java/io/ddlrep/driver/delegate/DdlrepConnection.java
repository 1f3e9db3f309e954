package io.ddlrep.driver.delegate;

import io.ddlrep.driver.session.DriverSession;
import io.ddlrep.driver.session.SqlText;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * The connection that the client holds: pgjdbc's, with the ends of transactions handed to the engine while an operation is
 * open. Thread-safe as far as pgjdbc's is; {@link #abort} and {@link #isClosed} wait for nobody.
 */
public final class DdlrepConnection extends DelegatingConnection {
    private final @Nullable DriverSession session;
    private final String url;
    private @Nullable DdlrepDatabaseMetaData metaData;
    /** pgjdbc's number of the next unnamed savepoint: all of them are made here. */
    private int nextSavepoint;

    /**
     * Makes the connection.
     *
     * @param delegate pgjdbc's
     * @param session the way to the engine, or null where there is no group
     * @param url what metadata tells, without passwords
     */
    public DdlrepConnection(BaseConnection delegate, @Nullable DriverSession session, String url) {
        super(delegate);
        this.session = session;
        this.url = url;
    }

    @Nullable
    DriverSession session() {
        return session;
    }

    /** The session while it has an operation open, else null. */
    private @Nullable DriverSession operation() {
        return session != null && session.isOperationOpen() ? session : null;
    }

    // Transactions

    @Override
    public void commit() throws SQLException {
        DriverSession open = operation();
        if (open == null || delegate.getAutoCommit()) {
            delegate.commit();
        } else {
            open.commit(delegate::commit);
        }
    }

    @Override
    public void rollback() throws SQLException {
        DriverSession open = operation();
        if (open == null || delegate.getAutoCommit()) {
            delegate.rollback();
        } else {
            open.rollback(delegate::rollback);
        }
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        DriverSession open = operation();
        if (open != null && autoCommit && !delegate.getAutoCommit()) {
            open.commit(delegate::commit);
        }
        delegate.setAutoCommit(autoCommit);
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        DriverSession open = operation();
        Savepoint[] made = new Savepoint[1];
        if (open == null || delegate.getAutoCommit()) {
            made[0] = delegate.setSavepoint();
        } else {
            open.savepoint(unnamed(nextSavepoint), () -> made[0] = delegate.setSavepoint());
        }
        nextSavepoint = made[0].getSavepointId() + 1;
        return made[0];
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        DriverSession open = operation();
        if (open == null || delegate.getAutoCommit()) {
            return delegate.setSavepoint(name);
        }
        Savepoint[] made = new Savepoint[1];
        open.savepoint(name, () -> made[0] = delegate.setSavepoint(name));
        return made[0];
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        DriverSession open = operation();
        String name = open == null ? null : nameOf(savepoint);
        if (open == null || name == null) {
            delegate.rollback(savepoint);
        } else {
            open.rollbackTo(name, () -> delegate.rollback(savepoint));
        }
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        DriverSession open = operation();
        String name = open == null ? null : nameOf(savepoint);
        if (open == null || name == null) {
            delegate.releaseSavepoint(savepoint);
        } else {
            open.release(name, () -> delegate.releaseSavepoint(savepoint));
        }
    }

    /** The name in the server, or null for a savepoint that is gone or not pgjdbc's: pgjdbc says so itself. */
    private static @Nullable String nameOf(Savepoint savepoint) {
        try {
            return unnamed(savepoint.getSavepointId());
        } catch (SQLException expected) {
            try {
                return savepoint.getSavepointName();
            } catch (SQLException ignored) {
                return null;
            }
        }
    }

    private static String unnamed(int number) {
        return "jdbc_savepoint_" + number;
    }

    @Override
    public void close() throws SQLException {
        if (session != null) {
            session.close();
        }
        delegate.close();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        if (session == null || delegate.isClosed()) {
            delegate.abort(executor);
            return;
        }
        delegate.abort(executor);
        executor.execute(() -> {
            session.cancel();
            session.close();
        });
    }

    @Override
    public void cancelQuery() throws SQLException {
        if (session != null && session.isWorking()) {
            session.cancel();
        } else {
            delegate.cancelQuery();
        }
    }

    // Statements

    @Override
    public Statement createStatement() throws SQLException {
        return new DdlrepStatement(this, delegate.createStatement());
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return new DdlrepStatement(this, delegate.createStatement(type, concurrency));
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return new DdlrepStatement(this, delegate.createStatement(type, concurrency, holdability));
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return new DdlrepPreparedStatement(this, delegate.prepareStatement(sql), sql, look(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return new DdlrepPreparedStatement(this, delegate.prepareStatement(sql, autoGeneratedKeys), sql, look(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
        return new DdlrepPreparedStatement(this, delegate.prepareStatement(sql, columnIndexes), sql, look(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
        return new DdlrepPreparedStatement(this, delegate.prepareStatement(sql, columnNames), sql, look(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return new DdlrepPreparedStatement(this, delegate.prepareStatement(sql, type, concurrency), sql, look(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return new DdlrepPreparedStatement(
                this, delegate.prepareStatement(sql, type, concurrency, holdability), sql, look(sql));
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return new DdlrepCallableStatement(this, delegate.prepareCall(sql), sql, look(sql));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return new DdlrepCallableStatement(this, delegate.prepareCall(sql, type, concurrency), sql, look(sql));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return new DdlrepCallableStatement(
                this, delegate.prepareCall(sql, type, concurrency, holdability), sql, look(sql));
    }

    private @Nullable SqlText look(String sql) {
        return session == null ? null : session.parse(sql);
    }

    // What leads back here

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        DatabaseMetaData raw = delegate.getMetaData();
        if (metaData == null) {
            metaData = new DdlrepDatabaseMetaData(this, raw, url);
        }
        return metaData;
    }

    @Override
    protected @Nullable Array array(@Nullable Array raw) {
        return raw == null || raw instanceof DdlrepArray ? raw : new DdlrepArray(this, raw);
    }

    @Override
    protected @Nullable ResultSet resultSet(@Nullable ResultSet raw) {
        return foreign(raw);
    }

    /** A result set of a statement that pgjdbc made by itself. */
    @Nullable
    ResultSet foreign(@Nullable ResultSet raw) {
        return raw == null ? null : new DdlrepResultSet(this, null, raw);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected <T> @Nullable T object(@Nullable T raw) {
        if (raw instanceof ResultSet rows) {
            return (T) foreign(rows);
        }
        return raw instanceof Array array ? (T) array(array) : raw;
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : delegate.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || delegate.isWrapperFor(type);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "DdlrepConnection@%x over %s", System.identityHashCode(this), delegate);
    }
}
