package io.ddlrep.driver.delegate;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * pgjdbc's metadata, which leads back to our connection. The product stays PostgreSQL: tools decide by it. Thread-safe as
 * far as pgjdbc's is.
 */
final class DdlrepDatabaseMetaData extends DelegatingDatabaseMetaData {
    private final DdlrepConnection connection;
    private final String url;

    DdlrepDatabaseMetaData(DdlrepConnection connection, DatabaseMetaData delegate, String url) {
        super(delegate);
        this.connection = connection;
        this.url = url;
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    /** The {@code jdbc:ddlrep:} URL of the connection, without passwords. */
    @Override
    public String getURL() {
        return url;
    }

    @Override
    protected @Nullable ResultSet resultSet(@Nullable ResultSet raw) {
        return connection.foreign(raw);
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
