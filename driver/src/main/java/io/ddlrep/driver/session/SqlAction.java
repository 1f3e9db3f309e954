package io.ddlrep.driver.session;

import java.sql.SQLException;

/** Something done with JDBC. */
@FunctionalInterface
public interface SqlAction {
    /** Does it. */
    void run() throws SQLException;
}
