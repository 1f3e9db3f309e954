package io.ddlrep.driver.delegate;

import io.ddlrep.driver.session.Piece;
import io.ddlrep.driver.session.PieceRunner;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One execution that goes by the engine's rules. The thread that executes owns it; any thread may cancel it. */
abstract class Routed implements PieceRunner {
    private final List<Piece> pieces;
    private volatile @Nullable Statement current;
    private @Nullable SQLWarning warnings;

    Routed(List<Piece> pieces) {
        this.pieces = pieces;
    }

    final List<Piece> pieces() {
        return pieces;
    }

    /** The results where they are not pgjdbc's statement's own. */
    abstract @Nullable Results results();

    /** Lets go of all results after a failure. */
    abstract void discard();

    final void runs(@Nullable Statement raw) {
        current = raw;
    }

    final void cancel() throws SQLException {
        Statement raw = current;
        if (raw != null) {
            raw.cancel();
        }
    }

    @Override
    public final void warn(SQLWarning warning) {
        SQLWarning first = warnings;
        if (first == null) {
            warnings = warning;
        } else {
            first.setNextWarning(warning);
        }
    }

    final @Nullable SQLWarning warnings() {
        return warnings;
    }

    /** A text on its own: one statement runs in the client's own statement, several in one each. */
    static Routed text(DdlrepStatement owner, io.ddlrep.driver.session.SqlText text, Form form) {
        return text.isSingle() ? new Single(owner, text.pieces(0), form) : new Script(owner, text.pieces(0), form);
    }

    private static final class Single extends Routed {
        private final DdlrepStatement owner;
        private final Form form;
        private boolean ran;

        Single(DdlrepStatement owner, List<Piece> pieces, Form form) {
            super(pieces);
            this.owner = owner;
            this.form = form;
        }

        @Override
        public void run(Piece piece) throws SQLException {
            ran = true;
            runs(owner.delegate);
            try {
                form.execute(owner.delegate, piece.sql());
            } finally {
                runs(null);
            }
        }

        @Override
        public void answered(Piece piece) {
            ran = false;
        }

        @Override
        @Nullable
        Results results() {
            if (ran) {
                return null;
            }
            // The engine did the statement's work in sessions of its own.
            Results done = new Results();
            done.addCount(0);
            return done;
        }

        @Override
        void discard() {
            // pgjdbc's statement has no result after a failure.
        }
    }

    private static final class Script extends Routed {
        private final DdlrepStatement owner;
        private final Form form;
        private final Results results = new Results();

        Script(DdlrepStatement owner, List<Piece> pieces, Form form) {
            super(pieces);
            this.owner = owner;
            this.form = form;
        }

        @Override
        public void run(Piece piece) throws SQLException {
            Statement raw = owner.sibling();
            runs(raw);
            try {
                // pgjdbc adds RETURNING to an INSERT only where that is the first statement of the text.
                boolean keyless = !piece.isFirst() && piece.statement().tag().equals("INSERT");
                boolean rows = keyless ? raw.execute(piece.sql()) : form.execute(raw, piece.sql());
                results.take(raw, rows);
                SQLWarning said = raw.getWarnings();
                if (said != null) {
                    warn(said);
                }
            } catch (SQLException e) {
                raw.close();
                throw e;
            } finally {
                runs(null);
            }
        }

        @Override
        public void answered(Piece piece) {
            results.addCount(0);
        }

        @Override
        Results results() {
            return results;
        }

        @Override
        void discard() {
            try {
                results.close();
            } catch (SQLException ignored) {
                // The failure that led here is what the client is told.
            }
        }
    }
}
