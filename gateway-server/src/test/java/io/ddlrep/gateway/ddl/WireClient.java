package io.ddlrep.gateway.ddl;

import io.ddlrep.gateway.Frontend;
import io.ddlrep.testkit.PgNode;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * A client that sends exactly the messages it is told to, and writes down what it is answered, so that two servers can be
 * compared. Used by one thread, but for {@link #cancel}.
 */
final class WireClient implements AutoCloseable {
    /** Where in the server's source an error came from, and what no two sessions have in common. */
    private static final Set<Character> LEFT_OUT = Set.of('F', 'L', 'R');

    private final PgNode node;
    private final Socket socket;
    private final DataInputStream in;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final List<String> lines = new ArrayList<>();
    private byte[] cancelKey = new byte[0];

    private WireClient(PgNode node) throws IOException {
        this.node = node;
        this.socket = new Socket(node.host(), node.port());
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Logs in as the superuser, who is asked for no password. */
    static WireClient connect(PgNode node, String... parameters) {
        try {
            WireClient client = new WireClient(node);
            List<String> words = new ArrayList<>(List.of("user", node.superuser(), "database", node.database()));
            words.addAll(List.of(parameters));
            client.write(Frontend.startup(words.toArray(String[]::new)));
            client.ready();
            client.lines.clear();
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it was answered so far. */
    List<String> lines() {
        return lines;
    }

    /** Sends a Query, and reads up to ReadyForQuery. */
    WireClient query(String sql) {
        lines.add("> " + sql);
        return message('Q', sql + "\0").send().ready();
    }

    WireClient parse(String name, String sql) {
        return message('P', name + "\0" + sql + "\0\0\0");
    }

    WireClient bind(String portal, String statement, String... values) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes((portal + "\0" + statement + "\0").getBytes(StandardCharsets.UTF_8));
        body.writeBytes(ByteBuffer.allocate(4)
                .putShort((short) 0)
                .putShort((short) values.length)
                .array());
        for (String value : values) {
            byte[] text = value.getBytes(StandardCharsets.UTF_8);
            body.writeBytes(ByteBuffer.allocate(4).putInt(text.length).array());
            body.writeBytes(text);
        }
        body.writeBytes(new byte[2]);
        return message('B', body.toByteArray());
    }

    WireClient describe(char kind, String name) {
        return message('D', kind + name + "\0");
    }

    WireClient execute(String portal) {
        return message('E', portal + "\0\0\0\0\0");
    }

    /** Parse, Bind and Execute of the unnamed statement. */
    WireClient run(String sql) {
        lines.add("> " + sql);
        return parse("", sql).bind("", "").execute("");
    }

    WireClient close(char kind, String name) {
        return message('C', kind + name + "\0");
    }

    WireClient flush() {
        return message('H', "");
    }

    /** Sends everything with a Sync, and reads up to ReadyForQuery. */
    WireClient sync() {
        lines.add("> Sync");
        return message('S', "").send().ready();
    }

    /** Adds a Sync that is sent with what follows. */
    WireClient syncLater() {
        return message('S', "");
    }

    WireClient copyData(String data) {
        return message('d', data);
    }

    WireClient copyDone() {
        return message('c', "");
    }

    WireClient copyFail(String why) {
        return message('f', why + "\0");
    }

    WireClient message(char type, String body) {
        return message(type, body.getBytes(StandardCharsets.UTF_8));
    }

    private WireClient message(char type, byte[] body) {
        pending.write(type);
        pending.writeBytes(ByteBuffer.allocate(4).putInt(4 + body.length).array());
        pending.writeBytes(body);
        return this;
    }

    /** Sends what was added. */
    WireClient send() {
        write(pending.toByteArray());
        pending.reset();
        return this;
    }

    /** Sends what was added, byte by byte. */
    WireClient sendInPieces() {
        for (byte one : pending.toByteArray()) {
            write(new byte[] {one});
        }
        pending.reset();
        return this;
    }

    /** Reads up to ReadyForQuery. */
    WireClient ready() {
        return until('Z');
    }

    /** Reads up to a message of a type, or the end. */
    WireClient until(char type) {
        try {
            char read;
            do {
                read = (char) in.readByte();
                byte[] body = new byte[in.readInt() - 4];
                in.readFully(body);
                if (read == 'K') {
                    cancelKey = body;
                }
                note(read, body);
            } while (read != type);
        } catch (EOFException | SocketException e) {
            lines.add("the end");
        } catch (IOException e) {
            throw new UncheckedIOException("behind " + String.join("\n", lines), e);
        }
        return this;
    }

    private void note(char type, byte[] body) {
        String line = switch (type) {
            case 'E', 'N' -> fields(body);
            case 'T' -> columns(body);
            case 'D' -> values(body);
            case 't' -> body.length + " bytes";
            default ->
                new String(body, StandardCharsets.UTF_8).replace('\0', ' ').strip();
        };
        // What ddlrep says of an operation is no part of what a server says.
        if (type != 'N' || !line.contains("M=ddlrep: ")) {
            lines.add(type + " " + line);
        }
    }

    private static String fields(byte[] body) {
        TreeMap<Character, String> fields = new TreeMap<>();
        for (String field : new String(body, StandardCharsets.UTF_8).split("\0", -1)) {
            if (!field.isEmpty() && !LEFT_OUT.contains(field.charAt(0))) {
                fields.put(field.charAt(0), field.substring(1));
            }
        }
        return fields.toString();
    }

    private static String columns(byte[] body) {
        ByteBuffer bytes = ByteBuffer.wrap(body);
        List<String> columns = new ArrayList<>();
        for (int left = bytes.getShort(); left > 0; left--) {
            StringBuilder name = new StringBuilder();
            for (byte next = bytes.get(); next != 0; next = bytes.get()) {
                name.append((char) next);
            }
            bytes.getInt();
            bytes.getShort();
            columns.add(name + ":" + bytes.getInt());
            bytes.position(bytes.position() + 8);
        }
        return columns.toString();
    }

    private static String values(byte[] body) {
        ByteBuffer bytes = ByteBuffer.wrap(body);
        List<String> values = new ArrayList<>();
        for (int left = bytes.getShort(); left > 0; left--) {
            int length = bytes.getInt();
            if (length < 0) {
                values.add("∅");
            } else {
                byte[] value = new byte[length];
                bytes.get(value);
                values.add(new String(value, StandardCharsets.UTF_8));
            }
        }
        return values.toString();
    }

    /** Asks for what runs to be cancelled; returns when the server has let go of the request. */
    void cancel() {
        try (Socket other = new Socket(node.host(), node.port())) {
            DataOutputStream out = new DataOutputStream(other.getOutputStream());
            out.writeInt(8 + cancelKey.length);
            out.writeInt(80877102);
            out.write(cancelKey);
            out.flush();
            int end = other.getInputStream().read();
            if (end != -1) {
                throw new IllegalStateException("an answer to a request to cancel");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The client's process is killed: its socket ends without a word. */
    void kill() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The client sends nothing more, but still reads. */
    void end() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            if (!socket.isClosed()) {
                message('X', "").send();
            }
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
