package io.ddlrep.testkit.proxy;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One client's connection and the proxy's connection to the server for it. Thread-safe. */
final class Link {

    private final Socket client;
    private final Socket server;
    private final Pipe requests;
    private final Pipe replies;
    private final Consumer<Link> whenClosed;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicInteger openDirections = new AtomicInteger(2);

    Link(Socket client, Socket server, Faults ofRequests, Faults ofReplies, Consumer<Link> whenClosed)
            throws IOException {
        this.client = client;
        this.server = server;
        this.whenClosed = whenClosed;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        MessageReader.Handshake handshake = new MessageReader.Handshake();
        MessageReader fromClient = MessageReader.ofClient(client.getInputStream(), handshake);
        MessageReader fromServer = MessageReader.ofServer(server.getInputStream(), handshake);
        String name = "fault-proxy " + client.getPort();
        requests = new Pipe(name + " request", fromClient, server, ofRequests, this);
        replies = new Pipe(name + " reply", fromServer, client, ofReplies, this);
    }

    void start() {
        requests.start();
        replies.start();
    }

    /** One direction has forwarded the end of its stream; after the second nothing is left to do. */
    void ended() {
        if (openDirections.decrementAndGet() == 0) {
            cut();
        }
    }

    /** Closes both sides. */
    void cut() {
        if (closed.compareAndSet(false, true)) {
            requests.stop();
            replies.stop();
            closeQuietly(client);
            closeQuietly(server);
            whenClosed.accept(this);
        }
    }

    /** Closes both sides with a TCP reset. */
    void reset() {
        try {
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
        } catch (IOException ignored) {
            // Closed already by a peer: nothing is left to reset.
        }
        cut();
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // A socket that cannot be closed is as dead as it is wanted.
        }
    }
}
