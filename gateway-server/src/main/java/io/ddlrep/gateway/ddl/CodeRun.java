package io.ddlrep.gateway.ddl;

import io.ddlrep.gateway.node.ClientWireSession;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Optional;

/**
 * A statement whose code has met the guard, and that is to be run once more. Its text and parameters may hold secrets: what it
 * prints leaves them out. Immutable.
 */
public sealed interface CodeRun permits CodeQuery, CodePipeline {
    /** The messages to send again: the one that runs it, and those behind it, which the server has skipped. */
    List<Frame> messages();

    /** Whether it stands between two messages of the extended protocol. */
    boolean isPipelined();

    /** Characters before the statement in its text. */
    int charactersBefore();

    /** The statement. One that was prepared long ago is asked for. */
    Statement statement(ClientWireSession session);

    /** Runs it in the client's session. */
    void run(ClientWireSession session);

    /**
     * A Query, where that can be run again.
     *
     * @param described whether the client has got the description of its rows
     */
    static Optional<CodeRun> ofQuery(Frame query, boolean described, ClientText.Reading reading) {
        return CodeQuery.of(query, described, reading);
    }

    /**
     * Messages up to a Sync, of which one is an Execute, where that can be run again. The first run has answered everything
     * before it.
     */
    static Optional<CodeRun> ofPipeline(List<Frame> frames, ClientText.Reading reading) {
        return CodePipeline.of(frames, reading);
    }

    /** One statement of which nothing but the guard knows that its code is DDL. */
    static Optional<ClientText> text(byte[] body, int from, int to, ClientText.Reading reading) {
        return to < 0
                ? Optional.empty()
                : ClientText.read(body, from, to, reading)
                        .filter(text -> text.isSingle()
                                && !text.hasControl()
                                && !(text.statements().get(0) instanceof Statement.Ddl));
    }
}
