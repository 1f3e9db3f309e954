package io.ddlrep.gateway.ddl;

import io.ddlrep.gateway.node.ClientWireSession;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Optional;

/**
 * A Query to run once more. Immutable.
 *
 * @param query the message
 * @param described whether the client has got the description of its rows
 * @param text its one statement
 */
record CodeQuery(Frame query, boolean described, ClientText text) implements CodeRun {
    /** A Query, where that can be run again. */
    static Optional<CodeRun> of(Frame query, boolean described, ClientText.Reading reading) {
        return CodeRun.text(query.body(), 0, ClientText.end(query.body(), 0), reading)
                .map(text -> new CodeQuery(query, described, text));
    }

    @Override
    public List<Frame> messages() {
        return List.of(query);
    }

    @Override
    public boolean isPipelined() {
        return false;
    }

    @Override
    public int charactersBefore() {
        return text.charactersBefore(text.statements().get(0));
    }

    @Override
    public Statement statement(ClientWireSession session) {
        return text.statements().get(0);
    }

    @Override
    public void run(ClientWireSession session) {
        session.query(query, described);
    }

    @Override
    public String toString() {
        return "CodeQuery[]";
    }
}
