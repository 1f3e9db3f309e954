package io.ddlrep.examples.regression;

import io.ddlrep.testkit.PgNode;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a psql and a server, and writes down what is sent and answered. For one psql at a time, which has one
 * connection and waits for each answer, and without encryption. Thread-safe.
 */
final class PsqlWire implements AutoCloseable {
    private static final int PROTOCOL_3 = 3 << 16;

    /** What a row's description tells of a column behind its name. */
    private static final int COLUMN_BYTES = 18;

    private static final Set<Character> ASKS = Set.of('Q', 'P', 'F');

    private final PgNode node;
    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final List<Exchange> exchanges = new ArrayList<>();
    private int backend;
    private boolean standardStrings = true;

    PsqlWire(PgNode node) throws IOException {
        this.node = node;
        daemon(this::accept);
    }

    PgNode node() {
        return node.at("127.0.0.1", listener.getLocalPort());
    }

    /** What was written down since the last time. */
    synchronized List<Exchange> take() {
        List<Exchange> taken = List.copyOf(exchanges);
        exchanges.clear();
        return taken;
    }

    private static void daemon(Runnable run) {
        Thread thread = new Thread(run, "psql-wire");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(node.host(), node.port());
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                daemon(() -> pass(client, server, true));
                daemon(() -> pass(server, client, false));
            }
        } catch (IOException e) {
            // The listener was closed: nobody else is to come.
        }
    }

    private void pass(Socket from, Socket to, boolean fromClient) {
        try (from;
                to;
                DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to.getOutputStream()))) {
            if (fromClient) {
                startup(in, out);
            }
            while (true) {
                int type = in.readUnsignedByte();
                int length = in.readInt();
                byte[] body = in.readNBytes(length - Integer.BYTES);
                if (fromClient) {
                    sent((char) type, body);
                } else {
                    answered((char) type, body);
                }
                out.writeByte(type);
                out.writeInt(length);
                out.write(body);
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One end has closed the connection, and now the other is closed too.
        }
    }

    private static void startup(DataInputStream in, DataOutputStream out) throws IOException {
        int length = in.readInt();
        byte[] body = in.readNBytes(length - Integer.BYTES);
        int version = ByteBuffer.wrap(body).getInt();
        if (version != PROTOCOL_3) {
            throw new IOException("psql asks for " + version + ": encryption is to be off");
        }
        out.writeInt(length);
        out.write(body);
        out.flush();
    }

    private synchronized void sent(char type, byte[] body) {
        if (ASKS.contains(type)) {
            List<String> strings = strings(body, type == 'P' ? 2 : 1);
            String text = type == 'F' ? "" : strings.get(strings.size() - 1);
            exchanges.add(new Exchange(backend, type, text, standardStrings));
        } else if (type == 'd') {
            current().copied(text(body, 0, body.length));
        }
    }

    private Exchange current() {
        if (exchanges.isEmpty()) {
            // Before the first question: the answer to the login.
            return new Exchange(backend, '\0', "", standardStrings);
        }
        return exchanges.get(exchanges.size() - 1);
    }

    private synchronized void answered(char type, byte[] body) {
        switch (type) {
            case 'K' -> backend = ByteBuffer.wrap(body).getInt();
            case 'S' -> {
                List<String> setting = strings(body, 2);
                if (setting.get(0).equals("standard_conforming_strings")) {
                    standardStrings = setting.get(1).equals("on");
                }
            }
            case 'C' -> current().completed(strings(body, 1).get(0));
            case 'E' -> current().failed(message(body));
            case 'G' -> current().copyStarts();
            case 'T' -> current().columns(columns(ByteBuffer.wrap(body)));
            case 'D' -> current().row(row(ByteBuffer.wrap(body)));
            default -> {
                // What says nothing of statements.
            }
        }
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static List<String> strings(byte[] body, int count) {
        List<String> strings = new ArrayList<>();
        int from = 0;
        while (strings.size() < count) {
            int to = from;
            while (to < body.length && body[to] != 0) {
                to++;
            }
            strings.add(text(body, from, to));
            from = to + 1;
        }
        return strings;
    }

    /** SQLSTATE and message. */
    private static String message(byte[] body) {
        String state = "";
        String message = "";
        for (String field : text(body, 0, body.length).split("\0", -1)) {
            state = field.startsWith("C") ? field.substring(1) : state;
            message = field.startsWith("M") ? field.substring(1) : message;
        }
        return state + " " + message;
    }

    private static List<String> columns(ByteBuffer body) {
        List<String> names = new ArrayList<>();
        int count = body.getShort();
        for (int i = 0; i < count; i++) {
            ByteArrayOutputStream name = new ByteArrayOutputStream();
            for (byte next = body.get(); next != 0; next = body.get()) {
                name.write(next);
            }
            names.add(name.toString(StandardCharsets.UTF_8));
            body.position(body.position() + COLUMN_BYTES);
        }
        return names;
    }

    private static List<@Nullable String> row(ByteBuffer body) {
        List<@Nullable String> values = new ArrayList<>();
        int count = body.getShort();
        for (int i = 0; i < count; i++) {
            int length = body.getInt();
            if (length < 0) {
                values.add(null);
            } else {
                byte[] value = new byte[length];
                body.get(value);
                values.add(text(value, 0, length));
            }
        }
        return values;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
