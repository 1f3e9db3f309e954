package io.ddlrep.driver;

import java.sql.SQLException;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGPooledConnection;

/** Opens connections of the driver for pools that want {@link PooledConnection}s. Thread-safe. */
public class DdlrepConnectionPoolDataSource extends DdlrepDataSource implements ConnectionPoolDataSource {
    /** A source that is set by its properties. */
    public DdlrepConnectionPoolDataSource() {}

    @Override
    public PooledConnection getPooledConnection() throws SQLException {
        return new PGPooledConnection(getConnection(), true);
    }

    @Override
    public PooledConnection getPooledConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return new PGPooledConnection(getConnection(user, password), true);
    }
}
