package io.ddlrep.driver.delegate;

import io.ddlrep.driver.session.SqlText;
import java.sql.CallableStatement;
import org.jspecify.annotations.Nullable;

/** A call. What it does inside the server only the server knows: it runs as it came, and once more where it meets the guard. */
final class DdlrepCallableStatement extends DelegatingCallableStatement {
    DdlrepCallableStatement(
            DdlrepConnection connection, CallableStatement delegate, String whole, @Nullable SqlText sql) {
        super(connection, delegate, whole, sql);
    }
}
