package io.ddlrep.driver.session;

import java.sql.SQLException;
import java.sql.SQLWarning;

/** Runs the pieces of a script in the client's session and keeps their results for the client. */
public interface PieceRunner {
    /** Runs a piece as it is. */
    void run(Piece piece) throws SQLException;

    /** A piece was answered without being sent: its result is an update count of 0. */
    void answered(Piece piece) throws SQLException;

    /** Something that the server would have said. */
    void warn(SQLWarning warning);
}
