package io.ddlrep.driver.session;

import io.ddlrep.parser.Statement;

/**
 * One statement of a script or of a batch. Immutable.
 *
 * @param entry which entry of a batch it belongs to, from 0; 0 for a script
 * @param statement the statement
 * @param sql its text as pgjdbc would cut it
 * @param offset where that begins in the whole text, in UTF-16 units
 * @param whole the text that the client gave
 */
public record Piece(int entry, Statement statement, String sql, int offset, String whole) {
    /** Whether it is the first one of its text. */
    public boolean isFirst() {
        return offset == 0;
    }

    static Piece of(int entry, SqlText text, int number) {
        int start = text.pieceStart(number);
        Statement statement = text.statements().get(number);
        String sql = text.isSingle() ? text.sql() : text.sql().substring(start, text.pieceEnd(number));
        return new Piece(entry, statement, sql, start, text.sql());
    }
}
