package io.ddlrep.driver.delegate;

import java.sql.Array;
import java.sql.ResultSet;
import org.jspecify.annotations.Nullable;

/** An array whose result sets lead back to our connection. One thread at a time, as pgjdbc's. */
final class DdlrepArray extends DelegatingArray {
    private final DdlrepConnection connection;

    DdlrepArray(DdlrepConnection connection, Array delegate) {
        super(delegate);
        this.connection = connection;
    }

    @Override
    protected @Nullable ResultSet resultSet(@Nullable ResultSet raw) {
        return connection.foreign(raw);
    }
}
