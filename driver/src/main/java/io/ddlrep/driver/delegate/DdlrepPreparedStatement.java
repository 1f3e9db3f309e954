package io.ddlrep.driver.delegate;

import io.ddlrep.driver.session.DriverSession;
import io.ddlrep.driver.session.SqlText;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A prepared statement; its text was looked at once, when it was prepared. */
class DdlrepPreparedStatement extends DelegatingPreparedStatement {
    private final String whole;

    /** Null where the text holds neither DDL nor transaction control. */
    private final @Nullable SqlText sql;

    private int batched;

    DdlrepPreparedStatement(
            DdlrepConnection connection, PreparedStatement delegate, String whole, @Nullable SqlText sql) {
        super(connection, delegate);
        this.whole = whole;
        this.sql = sql;
    }

    @Override
    public boolean execute() throws SQLException {
        return execute(prepared::execute, this::routed);
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        return execute(() -> rows(prepared.executeQuery()), text -> {
            routed(text);
            return onlyResultSet();
        });
    }

    @Override
    public int executeUpdate() throws SQLException {
        return execute(prepared::executeUpdate, text -> {
            routed(text);
            return Results.toInt(onlyUpdateCount());
        });
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return execute(prepared::executeLargeUpdate, text -> {
            routed(text);
            return onlyUpdateCount();
        });
    }

    private <T> T execute(Passing<T> passing, Ruled<T> ruled) throws SQLException {
        return concerned(sql) ? ruled.run(Objects.requireNonNull(sql)) : passing(whole, passing, ruled);
    }

    private boolean routed(SqlText text) throws SQLException {
        if (text.isSingle()) {
            return routed(text, (raw, piece) -> prepared.execute());
        }
        text.requireNoParameters();
        return routed(text, java.sql.Statement::execute);
    }

    /** Texts on a prepared statement are refused by pgjdbc itself. */
    @Override
    @Nullable
    SqlText look(String text) {
        return null;
    }

    @Override
    public void addBatch() throws SQLException {
        prepared.addBatch();
        batched++;
    }

    @Override
    public void clearBatch() throws SQLException {
        super.clearBatch();
        batched = 0;
    }

    @Override
    @Nullable
    Batch batchOf(DriverSession own, List<String> entries) {
        int entered = batched;
        batched = 0;
        return sql == null || entered == 0 ? null : Batch.of(own, Collections.nCopies(entered, sql.sql()));
    }
}
