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
 * A statement whose code has met the guard, and that is to be run once more. Its parameters may be secrets: what it prints
 * leaves them out. Immutable.
 */
public final class CodeRun {
    private final Frame message;
    private final @Nullable Frame bind;
    private final List<Frame> behind;
    private final boolean described;
    private final @Nullable ClientText text;
    private final String name;

    private CodeRun(
            Frame message,
            @Nullable Frame bind,
            List<Frame> behind,
            boolean described,
            @Nullable ClientText text,
            String name) {
        this.message = message;
        this.bind = bind;
        this.behind = behind;
        this.described = described;
        this.text = text;
        this.name = name;
    }

    /**
     * A Query, where that can be run again.
     *
     * @param described whether the client has got the description of its rows
     */
    public static Optional<CodeRun> ofQuery(Frame query, boolean described, ClientText.Reading reading) {
        int end = ClientText.end(query.body(), 0);
        return text(query.body(), 0, end, reading)
                .map(text -> new CodeRun(query, null, List.of(), described, text, ""));
    }

    /**
     * Messages up to a Sync, of which one is an Execute, where that can be run again. The first run has answered everything
     * before it.
     */
    public static Optional<CodeRun> ofPipeline(List<Frame> frames, ClientText.Reading reading) {
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
                ? of(Objects.requireNonNull(bind), Objects.requireNonNull(execute), parse, behind, reading)
                : Optional.empty();
    }

    private static Optional<CodeRun> of(
            Frame bind, Frame execute, @Nullable Frame parse, List<Frame> behind, ClientText.Reading reading) {
        String name = name(bind, name(bind, 0).length() + 1);
        if (parse != null && name(parse, 0).equals(name)) {
            int start = name.length() + 1;
            return text(parse.body(), start, ClientText.end(parse.body(), start), reading)
                    .map(text -> new CodeRun(execute, bind, behind, true, text, name));
        }
        return Optional.of(new CodeRun(execute, bind, behind, true, null, name));
    }

    /** One statement of which nothing but the guard knows that its code is DDL. */
    private static Optional<ClientText> text(byte[] body, int from, int to, ClientText.Reading reading) {
        return to < 0
                ? Optional.empty()
                : ClientText.read(body, from, to, reading)
                        .filter(text -> text.isSingle()
                                && !text.hasControl()
                                && !(text.statements().get(0) instanceof Statement.Ddl));
    }

    /** A name, each byte a character; empty where there is none. */
    private static String name(Frame frame, int from) {
        int end = from > frame.body().length ? -1 : ClientText.end(frame.body(), from);
        return end < 0 ? "" : new String(frame.body(), from, end - from, StandardCharsets.ISO_8859_1);
    }

    /** The message to run again, and those behind it, which the server has skipped. */
    public List<Frame> messages() {
        List<Frame> all = new ArrayList<>(List.of(message));
        all.addAll(behind);
        return all;
    }

    /** Whether it stands between two messages of the extended protocol. */
    boolean isPipelined() {
        return bind != null;
    }

    /** Characters before the statement in its text. */
    int charactersBefore() {
        return text == null ? 0 : text.charactersBefore(text.statements().get(0));
    }

    /** The statement. One that was prepared long ago is asked for. */
    Statement statement(ClientWireSession session) {
        if (text != null) {
            return text.statements().get(0);
        }
        String utf8 = new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        List<Row> rows = session.query(
                "SELECT s.statement FROM pg_catalog.pg_prepared_statements s WHERE s.name OPERATOR(pg_catalog.=) $1",
                utf8);
        String sql = rows.isEmpty() ? "EXECUTE " + utf8 : rows.get(0).text("statement");
        return SqlParser.parse(sql, ParserOptions.DEFAULT).get(0);
    }

    /** Runs it in the client's session. */
    void run(ClientWireSession session) {
        if (bind == null) {
            session.query(message, described);
        } else {
            session.bindAndExecute(
                    bind, message, text == null ? "" : text.statements().get(0).text());
        }
    }

    @Override
    public String toString() {
        return "CodeRun[" + message.type() + "]";
    }
}
