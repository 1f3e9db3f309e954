package io.ddlrep.gateway.ddl;

import io.ddlrep.engine.node.Row;
import io.ddlrep.gateway.node.ClientWireSession;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An Execute to run once more. Immutable.
 *
 * @param bind how its portal was bound
 * @param execute the message
 * @param behind the messages behind it, up to a Sync
 * @param text its one statement, where that was parsed in the same pipeline
 * @param name the prepared statement's name, each byte a character
 * @param reading how the client's texts are read
 */
record CodePipeline(
        Frame bind,
        Frame execute,
        List<Frame> behind,
        @Nullable ClientText text,
        String name,
        ClientText.Reading reading)
        implements CodeRun {
    CodePipeline {
        behind = List.copyOf(behind);
    }

    /**
     * Messages up to a Sync, of which one is an Execute, where that can be run again. The first run has answered everything
     * before it.
     */
    static Optional<CodeRun> of(List<Frame> frames, ClientText.Reading reading) {
        Frame bind = null;
        Frame execute = null;
        Frame parse = null;
        List<Frame> behind = new ArrayList<>();
        for (Frame frame : frames) {
            switch (frame.type()) {
                case 'P', 'B', 'C', 'D', 'E', 'H', 'S' -> {
                    // Those of a pipeline.
                }
                default -> {
                    return Optional.empty();
                }
            }
            if (execute != null) {
                behind.add(frame);
            } else if (frame.type() == 'P') {
                parse = frame;
            } else if (frame.type() == 'B' && bind != null) {
                return Optional.empty();
            } else if (frame.type() == 'B') {
                bind = frame;
            } else if (frame.type() == 'E') {
                execute = frame;
            }
        }
        // Only the last message of a turn is a Sync: then there is no other turn behind it.
        boolean alone = bind != null
                && execute != null
                && name(bind, 0).equals(name(execute, 0))
                && behind.stream().noneMatch(f -> f.type() == 'E' || f.type() == 'B' || f.type() == 'P')
                && frames.stream().filter(f -> f.type() == 'S').count() == 1
                && frames.get(frames.size() - 1).type() == 'S';
        return alone
                ? bound(Objects.requireNonNull(bind), Objects.requireNonNull(execute), parse, behind, reading)
                : Optional.empty();
    }

    private static Optional<CodeRun> bound(
            Frame bind, Frame execute, @Nullable Frame parse, List<Frame> behind, ClientText.Reading reading) {
        String name = name(bind, name(bind, 0).length() + 1);
        if (parse != null && name(parse, 0).equals(name)) {
            int start = name.length() + 1;
            return CodeRun.text(parse.body(), start, ClientText.end(parse.body(), start), reading)
                    .map(text -> new CodePipeline(bind, execute, behind, text, name, reading));
        }
        return Optional.of(new CodePipeline(bind, execute, behind, null, name, reading));
    }

    /** A name, each byte a character; empty where there is none. */
    private static String name(Frame frame, int from) {
        int end = from > frame.body().length ? -1 : ClientText.end(frame.body(), from);
        return end < 0 ? "" : new String(frame.body(), from, end - from, StandardCharsets.ISO_8859_1);
    }

    @Override
    public List<Frame> messages() {
        List<Frame> all = new ArrayList<>(List.of(execute));
        all.addAll(behind);
        return all;
    }

    @Override
    public boolean isPipelined() {
        return true;
    }

    @Override
    public int charactersBefore() {
        return 0;
    }

    @Override
    public Statement statement(ClientWireSession session) {
        if (text != null) {
            return text.statements().get(0);
        }
        String utf8 = new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        List<Row> rows = session.query(
                "SELECT s.statement FROM pg_catalog.pg_prepared_statements s WHERE s.name OPERATOR(pg_catalog.=) $1",
                utf8);
        String sql = rows.isEmpty() ? "EXECUTE " + utf8 : rows.get(0).text("statement");
        return SqlParser.parse(sql, new ParserOptions(reading.standardConformingStrings()))
                .get(0);
    }

    @Override
    public void run(ClientWireSession session) {
        session.bindAndExecute(
                bind, execute, text == null ? "" : text.statements().get(0).text());
    }

    @Override
    public String toString() {
        return "CodePipeline[]";
    }
}
