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
            case BEGIN, START_TRANSACTION -> of(command, cursor, span, text, TransactionVerb.BEGIN, null);
            case COMMIT, END -> end(command, span, text, TransactionVerb.COMMIT, cursor);
            case COMMIT_PREPARED -> of(command, cursor, span, text, TransactionVerb.COMMIT_PREPARED, gid(cursor));
            case ROLLBACK_PREPARED -> of(command, cursor, span, text, TransactionVerb.ROLLBACK_PREPARED, gid(cursor));
            case PREPARE_TRANSACTION ->
                of(command, cursor, span, text, TransactionVerb.PREPARE_TRANSACTION, gid(cursor));
            case SAVEPOINT -> of(command, cursor, span, text, TransactionVerb.SAVEPOINT, cursor.identifier());
            case RELEASE_SAVEPOINT -> of(command, cursor, span, text, TransactionVerb.RELEASE, savepoint(cursor));
            case ROLLBACK_TO_SAVEPOINT ->
                of(command, cursor, span, text, TransactionVerb.ROLLBACK_TO, behindSavepoint(cursor));
            case ROLLBACK, ABORT -> rollback(command, span, text, cursor);
            default -> of(command, cursor, span, text, TransactionVerb.SET_TRANSACTION, null);
        };
    }

    private static TransactionControl rollback(SqlCommand command, SourceSpan span, String text, Cursor cursor) {
        cursor.acceptAny("WORK", "TRANSACTION");
        return cursor.accept("TO")
                ? of(command, cursor, span, text, TransactionVerb.ROLLBACK_TO, savepoint(cursor))
                : end(command, span, text, TransactionVerb.ROLLBACK, cursor);
    }

    private static TransactionControl end(
            SqlCommand command, SourceSpan span, String text, TransactionVerb verb, Cursor cursor) {
        cursor.acceptAny("WORK", "TRANSACTION");
        return new TransactionControl(
                span,
                text,
                command.tag(),
                verb,
                null,
                cursor.accept("AND", "CHAIN"),
                cursor.tokens().options());
    }

    private static TransactionControl of(
            SqlCommand command,
            Cursor cursor,
            SourceSpan span,
            String text,
            TransactionVerb verb,
            @Nullable String name) {
        return new TransactionControl(
                span, text, command.tag(), verb, name, false, cursor.tokens().options());
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
