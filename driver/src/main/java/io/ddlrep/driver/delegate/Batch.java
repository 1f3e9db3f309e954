package io.ddlrep.driver.delegate;

import io.ddlrep.driver.session.DriverSession;
import io.ddlrep.driver.session.Piece;
import io.ddlrep.driver.session.SqlText;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.GT;

/** A batch that holds DDL: its entries run in order, in one transaction, as pgjdbc's pipeline would have run them. */
final class Batch extends Routed {
    private final List<String> entries;
    private final long[] counts;
    /** pgjdbc sends the entries as one pipeline, which is one implicit transaction. */
    private final boolean together;

    private @Nullable DdlrepStatement owner;
    private int at;

    private Batch(List<Piece> pieces, List<String> entries, boolean together) {
        super(pieces);
        this.together = together;
        this.entries = entries;
        this.counts = new long[entries.size()];
    }

    /** The batch, or null where nothing in it concerns the engine. */
    static @Nullable Batch of(DriverSession session, List<String> entries) {
        boolean concerned = false;
        List<Piece> pieces = new ArrayList<>();
        for (int entry = 0; entry < entries.size(); entry++) {
            SqlText text = session.parse(entries.get(entry));
            concerned |= text != null && session.concerns(text);
            pieces.addAll((text == null ? SqlText.passing(entries.get(entry)) : text).pieces(entry));
        }
        return concerned ? new Batch(pieces, entries, !session.sendsWholeTexts()) : null;
    }

    void run(DdlrepStatement statement) throws SQLException {
        owner = statement;
        if (together) {
            try {
                statement.route(this, pieces());
            } catch (SQLException e) {
                Arrays.fill(counts, Statement.EXECUTE_FAILED);
                throw failure(at, e);
            }
        } else {
            oneByOne(statement);
        }
    }

    /** Where pgjdbc sends each entry as a message of its own, an error does not keep it from sending the next. */
    private void oneByOne(DdlrepStatement statement) throws SQLException {
        boolean autoCommit = statement.getConnection().getAutoCommit();
        SQLException first = null;
        SQLException last = null;
        int failed = 0;
        for (int entry = 0; entry < counts.length; entry++) {
            int number = entry;
            try {
                statement.route(
                        this,
                        pieces().stream()
                                .filter(piece -> piece.entry() == number)
                                .toList());
            } catch (SQLException e) {
                counts[entry] = Statement.EXECUTE_FAILED;
                failed = first == null ? entry : failed;
                first = first == null ? e : first;
                if (last != null) {
                    last.setNextException(e);
                }
                last = e;
            }
        }
        if (first != null) {
            if (!autoCommit) {
                Arrays.fill(counts, Statement.EXECUTE_FAILED);
            }
            throw failure(failed, first);
        }
    }

    private BatchUpdateException failure(int entry, SQLException cause) {
        String message = GT.tr(
                "Batch entry {0} {1} was aborted: {2}  Call getNextException to see other errors in the batch.",
                entry, entries.get(entry), cause.getMessage());
        BatchUpdateException failure = new BatchUpdateException(message, cause.getSQLState(), 0, counts.clone(), cause);
        failure.setNextException(cause);
        return failure;
    }

    long[] counts() {
        return counts.clone();
    }

    int[] intCounts() {
        return Arrays.stream(counts).mapToInt(Results::toInt).toArray();
    }

    @Override
    public void run(Piece piece) throws SQLException {
        at = piece.entry();
        if (owner == null) {
            throw new IllegalStateException("the batch is not running");
        }
        try (Statement raw = owner.sibling()) {
            runs(raw);
            // Rows are nobody's in a batch: pgjdbc drops them and counts 0.
            counts[at] = raw.execute(piece.sql()) ? 0 : Math.max(0, raw.getLargeUpdateCount());
            SQLWarning said = raw.getWarnings();
            if (said != null) {
                warn(said);
            }
        } finally {
            runs(null);
        }
    }

    @Override
    public void answered(Piece piece) {
        at = piece.entry();
    }

    @Override
    @Nullable
    Results results() {
        return null;
    }

    @Override
    void discard() {
        // Counts are all that is left of a batch.
    }
}
