package io.ddlrep.engine.differential;

import io.ddlrep.testkit.PgNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sends texts to a server exactly as they are, which no driver does: pgjdbc splits them first. For servers that trust
 * their clients. One thread at a time.
 */
final class RawSession implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * An error that the server has answered.
     *
     * @param position of the character that it is at, from 1; 0 where it is at none
     */
    record Failure(String sqlState, String message, int position) {}

    RawSession(PgNode node) throws IOException {
        this.socket = new Socket(node.host(), node.port());
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(socket.getOutputStream());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {0, 3, 0, 0});
        for (String text :
                new String[] {"user", node.superuser(), "database", node.database(), "client_encoding", "UTF8"}) {
            text(body, text);
        }
        body.write(0);
        out.writeInt(body.size() + 4);
        body.writeTo(out);
        out.flush();
        answer().ifPresent(failure -> {
            throw new IllegalStateException(failure.toString());
        });
    }

    /** Runs a text as one simple query; tells the first error. */
    Optional<Failure> query(String sql) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        text(body, sql);
        send('Q', body);
        return answer();
    }

    /** Has a text parsed and analysed as one prepared statement, which may not be several. */
    Optional<Failure> parse(String sql) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        text(body, "");
        text(body, sql);
        body.writeBytes(new byte[2]);
        send('P', body);
        send('S', new ByteArrayOutputStream());
        return answer();
    }

    private static void text(ByteArrayOutputStream body, String text) {
        body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        body.write(0);
    }

    private void send(char type, ByteArrayOutputStream body) throws IOException {
        out.writeByte(type);
        out.writeInt(body.size() + 4);
        body.writeTo(out);
        out.flush();
    }

    /** Reads up to ReadyForQuery. */
    private Optional<Failure> answer() throws IOException {
        Optional<Failure> failure = Optional.empty();
        while (true) {
            int type = in.readUnsignedByte();
            byte[] body = in.readNBytes(in.readInt() - 4);
            if (type == 'E' && failure.isEmpty()) {
                failure = Optional.of(failure(body));
            } else if (type == 'Z') {
                return failure;
            } else if (type == 'R' && body[3] != 0) {
                throw new IllegalStateException("the server wants a password");
            }
        }
    }

    private static Failure failure(byte[] body) {
        Map<Character, String> fields = new HashMap<>();
        for (String field : new String(body, StandardCharsets.UTF_8).split("\0", -1)) {
            if (!field.isEmpty()) {
                fields.put(field.charAt(0), field.substring(1));
            }
        }
        return new Failure(
                fields.getOrDefault('C', ""),
                fields.getOrDefault('M', ""),
                Integer.parseInt(fields.getOrDefault('P', "0")));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
