package io.ddlrep.driver.session;

import java.sql.SQLWarning;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PgConnection;

/** Puts warnings where the client finds them. Stateless. */
public final class ClientWarnings {
    private ClientWarnings() {}

    /** Adds to what {@code Connection.getWarnings()} gives. */
    public static void add(BaseConnection raw, SQLWarning warning) {
        if (raw instanceof PgConnection connection) {
            connection.addWarning(warning);
        }
    }
}
