package io.ddlrep.driver.delegate;

import java.sql.SQLException;
import java.sql.Statement;

/** In which of its forms {@code execute} was called: plain, or with generated keys asked for in one of three ways. */
@FunctionalInterface
interface Form {
    /** Calls {@code execute} in that form. */
    boolean execute(Statement raw, String sql) throws SQLException;
}
