package io.ddlrep.driver.delegate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.GT;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** The results of a script's pieces in one chain, with pgjdbc's rules of moving along it. One thread at a time. */
final class Results {
    private record Result(@Nullable ResultSet rows, long count) {}

    private final List<Result> chain = new ArrayList<>();
    private final List<Statement> sources = new ArrayList<>();
    private int at;
    private int firstOpen;

    /** Takes all results of a statement that has just run; the statement is closed with the chain. */
    void take(Statement source, boolean first) throws SQLException {
        sources.add(source);
        ResultSet keys = source.getGeneratedKeys();
        if (keys.getMetaData().getColumnCount() > 0) {
            // For a text with several statements pgjdbc gives the keys as ordinary rows, and no count.
            chain.add(new Result(keys, -1));
            return;
        }
        boolean rows = first;
        while (rows || source.getUpdateCount() != -1) {
            chain.add(rows ? new Result(source.getResultSet(), -1) : new Result(null, source.getLargeUpdateCount()));
            rows = source.getMoreResults(Statement.KEEP_CURRENT_RESULT);
        }
    }

    void addCount(long count) {
        chain.add(new Result(null, count));
    }

    private @Nullable Result current() {
        return at < chain.size() ? chain.get(at) : null;
    }

    @Nullable
    ResultSet rows() {
        Result current = current();
        return current == null ? null : current.rows();
    }

    long count() {
        Result current = current();
        return current == null || current.rows() != null ? -1 : current.count();
    }

    boolean more(int closing) throws SQLException {
        ResultSet rows = rows();
        if (closing == Statement.CLOSE_CURRENT_RESULT && rows != null) {
            rows.close();
        }
        at = Math.min(at + 1, chain.size());
        if (closing == Statement.CLOSE_ALL_RESULTS) {
            for (; firstOpen < at; firstOpen++) {
                ResultSet passed = chain.get(firstOpen).rows();
                if (passed != null) {
                    passed.close();
                }
            }
        }
        return rows() != null;
    }

    boolean anyRows() {
        return chain.stream().anyMatch(result -> result.rows() != null);
    }

    /** The result set of a text that must give one and nothing else. */
    ResultSet only() throws SQLException {
        ResultSet rows = rows();
        if (rows == null) {
            throw none();
        }
        if (chain.size() > 1) {
            throw new PSQLException(
                    GT.tr("Multiple ResultSets were returned by the query."), PSQLState.TOO_MANY_RESULTS);
        }
        return rows;
    }

    void close() throws SQLException {
        for (Statement source : sources) {
            source.close();
        }
        sources.clear();
        chain.clear();
    }

    static SQLException none() {
        return new PSQLException(GT.tr("No results were returned by the query."), PSQLState.NO_DATA);
    }

    static SQLException unexpected() {
        return new PSQLException(GT.tr("A result was returned when none was expected."), PSQLState.TOO_MANY_RESULTS);
    }

    /** pgjdbc's answer where a count does not fit. */
    static int toInt(long count) {
        return count > Integer.MAX_VALUE ? Statement.SUCCESS_NO_INFO : (int) count;
    }
}
