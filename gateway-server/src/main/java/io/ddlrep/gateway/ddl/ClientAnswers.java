package io.ddlrep.gateway.ddl;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.gateway.node.RawError;
import io.ddlrep.gateway.node.ToClient;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.ddlrep.gateway.wire.Frame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client is answered while a thread runs its statements. The last CommandComplete waits for what may still go wrong, as
 * the server sends it only behind its commit. Used by one thread.
 */
final class ClientAnswers implements ToClient {
    private final ToClient client;
    /** Settings that have changed: told before the client may send its next message, and only as they are then. */
    private final Map<String, Frame> settings = new LinkedHashMap<>();

    private @Nullable Frame complete;
    private boolean waits;

    ClientAnswers(ToClient client) {
        this.client = client;
    }

    /** Whether a CommandComplete is to wait for the next message. */
    void completeWaits(boolean wanted) {
        waits = wanted;
        complete = null;
    }

    @Override
    public void tell(Frame frame) {
        if (frame.type() == 'S') {
            settings.put(new String(frame.body(), 0, ClientText.end(frame.body(), 0), StandardCharsets.UTF_8), frame);
            return;
        }
        release();
        if (waits && frame.type() == 'C') {
            complete = frame;
        } else {
            client.tell(frame);
        }
    }

    /** Nothing can go wrong any more. */
    void release() {
        Frame waiting = complete;
        complete = null;
        if (waiting != null) {
            client.tell(waiting);
        }
    }

    @Override
    public void flush() {
        client.flush();
    }

    @Override
    public void copiesIn(boolean on) {
        client.copiesIn(on);
    }

    /** Something that the engine or the server would say; comes before a CommandComplete that waits. */
    void notice(String severity, String sqlState, String message) {
        client.tell(new Frame((byte) 'N', new ErrorMessage(severity, sqlState, message, null, null).body()));
    }

    /** A statement was answered without being sent. */
    void completed(String tag) {
        tell(new Frame((byte) 'C', (tag + "\0").getBytes(StandardCharsets.UTF_8)));
    }

    void ready(byte status) {
        release();
        settings();
        client.tell(new Frame((byte) 'Z', new byte[] {status}));
        client.flush();
    }

    /** A message of a pipeline was run: the server says itself when it is ready. */
    void done() {
        release();
        settings();
        client.flush();
    }

    private void settings() {
        settings.values().forEach(client::tell);
        settings.clear();
    }

    /**
     * The statement failed.
     *
     * @param origin the client's own node, whose errors go on as they came
     * @param cut characters before what the origin was sent in the client's text
     * @param before characters before the statement itself, which is what other nodes were sent
     */
    void failed(RuntimeException failure, String origin, int cut, int before) {
        complete = null;
        client.tell(new Frame((byte) 'E', errorOf(failure, origin, cut, before)));
    }

    private static byte[] errorOf(RuntimeException failure, String origin, int cut, int before) {
        if (failure instanceof NodeException node) {
            return node.node().equals(origin) && node.getCause() instanceof RawError raw
                    ? shifted(raw.body(), cut)
                    : shifted(ErrorMessage.error(reachable(node)).body(), before);
        }
        ServerError error = failure instanceof DdlrepException own
                ? own.error()
                : ServerError.of("XX000", "ddlrep: " + failure.getMessage());
        return ErrorMessage.error(error).body();
    }

    /** Classes 08 and 57P would make a client give its own, healthy connection up. */
    private static ServerError reachable(NodeException failure) {
        ServerError error = failure.error();
        return failure.isConnectionLost()
                ? ServerError.of("55000", "ddlrep: node " + failure.node() + " cannot be reached")
                        .with(error.sqlState() + ": " + error.message(), error.hint())
                : error;
    }

    /** The same error with its position moved: the server saw a part of the text alone. */
    private static byte[] shifted(byte[] body, int shift) {
        if (shift == 0) {
            return body;
        }
        List<byte[]> fields = new ArrayList<>();
        int size = 0;
        for (int at = 0; at < body.length && body[at] != 0; ) {
            int end = ClientText.end(body, at);
            byte[] field = Arrays.copyOfRange(body, at, end < 0 ? body.length : end + 1);
            if (field[0] == 'P') {
                String position = new String(field, 1, field.length - 2, StandardCharsets.US_ASCII);
                if (position.matches("[0-9]{1,9}")) {
                    field = ("P" + (Integer.parseInt(position) + shift) + "\0").getBytes(StandardCharsets.US_ASCII);
                }
            }
            fields.add(field);
            size += field.length;
            at = end < 0 ? body.length : end + 1;
        }
        byte[] moved = new byte[size + 1];
        int to = 0;
        for (byte[] field : fields) {
            System.arraycopy(field, 0, moved, to, field.length);
            to += field.length;
        }
        return moved;
    }
}
