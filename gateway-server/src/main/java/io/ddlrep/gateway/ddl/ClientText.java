package io.ddlrep.gateway.ddl;

import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.FastPath;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A text of a client's with its statements, of which one at least may be DDL or transaction control. Immutable.
 *
 * @param sql the text
 * @param charset how the client writes
 * @param statements its statements
 */
public record ClientText(String sql, Charset charset, List<Statement> statements) {
    /** How texts are read in a session now. */
    public record Reading(String clientEncoding, boolean standardConformingStrings) {}

    /**
     * Whether a text can hold what the engine must see: told by its bytes, since every encoding that a client may use leaves
     * ASCII letters and semicolons outside of its longer characters, or makes the answer too careful.
     */
    static FastPath.Verdict look(byte[] body, int from, int to) {
        return FastPath.look(new String(body, from, to - from, StandardCharsets.ISO_8859_1));
    }

    /** Where the text ends that begins there: at its zero byte; or -1. */
    static int end(byte[] body, int from) {
        for (int i = from; i < body.length; i++) {
            if (body[i] == 0) {
                return i;
            }
        }
        return -1;
    }

    /** Reads a text; empty where its bytes are not what the client's encoding says. */
    static Optional<ClientText> read(byte[] body, int from, int to, Reading reading) {
        ClientEncoding encoding = ClientEncoding.of(reading.clientEncoding());
        return encoding.decode(body, from, to)
                .map(sql -> new ClientText(
                        sql,
                        encoding.charset(),
                        SqlParser.parse(sql, new ParserOptions(reading.standardConformingStrings()))));
    }

    /** Whether one of the statements is DDL of more than a temporary object, which is the session's own. */
    boolean hasDdl() {
        return statements.stream().anyMatch(ClientText::isDdl);
    }

    static boolean isDdl(Statement statement) {
        return statement instanceof Statement.Ddl ddl && !ddl.facts().contains(DdlFact.TEMPORARY);
    }

    /** Whether one of them is transaction control. */
    boolean hasControl() {
        return statements.stream().anyMatch(statement -> statement instanceof Statement.TransactionControl);
    }

    boolean isSingle() {
        return statements.size() == 1;
    }

    /** A Query with one of the statements alone. */
    Frame query(Statement statement) {
        return query(statement.text(), charset);
    }

    static Frame query(String sql, Charset charset) {
        byte[] text = sql.getBytes(charset);
        return new Frame((byte) 'Q', Arrays.copyOf(text, text.length + 1));
    }

    /** How many characters, as the server counts them, stand before a statement. */
    int charactersBefore(Statement statement) {
        return sql.codePointCount(0, statement.span().start());
    }
}
