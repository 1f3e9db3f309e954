package io.ddlrep.testkit.load;

import java.sql.SQLException;

/** What a writer does between BEGIN and COMMIT. Called by several threads, each with its own session. */
@FunctionalInterface
public interface LoadTransaction {

    void run(LoadSession session) throws SQLException;
}
