package io.ddlrep.driver.delegate;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A result set that leads back to our statement. One thread at a time, as pgjdbc's.
 */
final class DdlrepResultSet extends DelegatingResultSet {
    private final DdlrepConnection connection;
    private @Nullable DdlrepStatement statement;

    /**
     * Makes it.
     *
     * @param statement whose result it is; null for one that pgjdbc made by itself, such as metadata's
     */
    DdlrepResultSet(DdlrepConnection connection, @Nullable DdlrepStatement statement, ResultSet delegate) {
        super(delegate);
        this.connection = connection;
        this.statement = statement;
    }

    @Override
    public @Nullable Statement getStatement() throws SQLException {
        Statement raw = delegate.getStatement();
        if (statement == null && raw != null) {
            statement = new DdlrepStatement(connection, raw);
        }
        // A closed result set throws above, as pgjdbc's does.
        return statement;
    }

    @Override
    protected @Nullable Array array(@Nullable Array raw) {
        return connection.array(raw);
    }

    @Override
    protected <T> @Nullable T object(@Nullable T raw) {
        return connection.object(raw);
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
