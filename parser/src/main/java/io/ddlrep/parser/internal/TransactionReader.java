package io.ddlrep.parser.internal;

import io.ddlrep.parser.SourceSpan;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.Statement.TransactionControl;
import io.ddlrep.parser.TransactionVerb;
import org.jspecify.annotations.Nullable;

/** Reads transaction control (TransactionStmt in gram.y). Stateless. */
final class TransactionReader {
    private TransactionReader() {}

    /**
     * Reads a command of kind TRANSACTION_CONTROL.
     *
     * @param cursor behind the words of the command
     */
    static TransactionControl read(SqlCommand command, Cursor cursor, SourceSpan span, String text) {
        return switch (command) {
            case BEGIN, START_TRANSACTION -> plain(span, text, TransactionVerb.BEGIN);
            case COMMIT, END -> end(span, text, TransactionVerb.COMMIT, cursor);
            case COMMIT_PREPARED -> named(span, text, TransactionVerb.COMMIT_PREPARED, gid(cursor));
            case ROLLBACK_PREPARED -> named(span, text, TransactionVerb.ROLLBACK_PREPARED, gid(cursor));
            case PREPARE_TRANSACTION -> named(span, text, TransactionVerb.PREPARE_TRANSACTION, gid(cursor));
            case SAVEPOINT -> named(span, text, TransactionVerb.SAVEPOINT, cursor.identifier());
            case RELEASE_SAVEPOINT -> named(span, text, TransactionVerb.RELEASE, savepoint(cursor));
            case ROLLBACK_TO_SAVEPOINT -> named(span, text, TransactionVerb.ROLLBACK_TO, behindSavepoint(cursor));
            case ROLLBACK, ABORT -> rollback(span, text, cursor);
            default -> plain(span, text, TransactionVerb.SET_TRANSACTION);
        };
    }

    private static TransactionControl rollback(SourceSpan span, String text, Cursor cursor) {
        cursor.acceptAny("WORK", "TRANSACTION");
        return cursor.accept("TO")
                ? named(span, text, TransactionVerb.ROLLBACK_TO, savepoint(cursor))
                : end(span, text, TransactionVerb.ROLLBACK, cursor);
    }

    private static TransactionControl end(SourceSpan span, String text, TransactionVerb verb, Cursor cursor) {
        cursor.acceptAny("WORK", "TRANSACTION");
        return new TransactionControl(span, text, verb, null, cursor.accept("AND", "CHAIN"));
    }

    private static TransactionControl plain(SourceSpan span, String text, TransactionVerb verb) {
        return new TransactionControl(span, text, verb, null, false);
    }

    private static TransactionControl named(SourceSpan span, String text, TransactionVerb verb, @Nullable String name) {
        return new TransactionControl(span, text, verb, name, false);
    }

    /** A savepoint may be named savepoint: the keyword counts only before another name. */
    private static @Nullable String savepoint(Cursor cursor) {
        if (cursor.at("SAVEPOINT") && cursor.index() + 1 < cursor.limit()) {
            cursor.skip();
        }
        return cursor.identifier();
    }

    /** ROLLBACK TO savepoint names one that is called so. */
    private static @Nullable String behindSavepoint(Cursor cursor) {
        return cursor.done() ? "savepoint" : cursor.identifier();
    }

    private static @Nullable String gid(Cursor cursor) {
        return cursor.done() ? null : StringLiterals.value(cursor.tokens(), cursor.index());
    }
}
