package io.ddlrep.testkit.proxy;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Stands between a client and a node, and breaks the network between them on demand.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.before(group.node(2))) {
 *     Hold commit = proxy.holdWhen(message -> message.contains("COMMIT PREPARED"));
 *     …                                        // a client that connects to proxy.node()
 *     commit.await(Duration.ofSeconds(10));    // the node has not seen COMMIT PREPARED
 *     proxy.reset();
 * }
 * }</pre>
 *
 * Faults hold for connections that are open and for later ones. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {

    private static final Duration ACCEPT_END = Duration.ofSeconds(10);

    private final PgNode node;
    private final int port;
    private final Faults requests = new Faults();
    private final Faults replies = new Faults();
    private final Set<Link> links = new HashSet<>();
    private ServerSocket listener;
    private Thread acceptor;

    private FaultProxy(PgNode node) throws IOException {
        this.node = node;
        this.listener = listen(0);
        this.port = listener.getLocalPort();
        this.acceptor = acceptFrom(listener, this);
    }

    /** A proxy on a free port of the loopback address, forwarding without any fault. */
    public static FaultProxy before(PgNode node) {
        try {
            return new FaultProxy(node);
        } catch (IOException e) {
            throw new TestkitException("cannot listen for " + node, e);
        }
    }

    /** The node as clients reach it through this proxy. */
    public PgNode node() {
        return node.at("127.0.0.1", port);
    }

    /** Delays every message: to the server, and to the client. Zero ends it. */
    public void delay(Duration toServer, Duration toClient) {
        requests.delay(toServer);
        replies.delay(toClient);
    }

    /** Forwards nothing any more, in both directions; sockets stay open. */
    public void hold() {
        requests.close();
        replies.close();
    }

    /** Holds the first message from a client that matches, before the server sees it. */
    public Hold holdWhen(Predicate<WireMessage> when) {
        return requests.holdWhen(when);
    }

    /** Holds the first message from the server that matches, before the client sees it. */
    public Hold holdReplyWhen(Predicate<WireMessage> when) {
        return replies.holdWhen(when);
    }

    /** Ends {@link #hold} and every {@link Hold}: what was held is forwarded. */
    public void release() {
        requests.releaseAll();
        replies.releaseAll();
    }

    /** Closes every open connection, on both sides; what was held is lost. */
    public void cut() {
        openLinks().forEach(Link::cut);
    }

    /** Closes every open connection by TCP reset, on both sides; what was held is lost. */
    public void reset() {
        openLinks().forEach(Link::reset);
    }

    /** Refuses new connections, as a host on which nothing listens. */
    public void refuse() {
        Thread accepting;
        synchronized (this) {
            try {
                listener.close();
            } catch (IOException e) {
                throw new TestkitException("cannot close port " + port, e);
            }
            accepting = acceptor;
        }
        // The kernel goes on listening until the thread that waits in accept() has let go of the socket.
        try {
            accepting.join(ACCEPT_END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while port " + port + " is closed", e);
        }
    }

    /** Takes new connections again. */
    public synchronized void accept() {
        if (listener.isClosed()) {
            try {
                listener = listen(port);
            } catch (IOException e) {
                throw new TestkitException("cannot listen on port " + port + " again", e);
            }
            acceptor = acceptFrom(listener, this);
        }
    }

    /** Waits until exactly {@code count} connections are open. */
    public synchronized void awaitConnections(int count, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (links.size() != count) {
            long rest = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (rest <= 0) {
                throw new TestkitException(links.size() + " connections are open, not " + count);
            }
            try {
                wait(rest);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestkitException("interrupted while waiting for connections", e);
            }
        }
    }

    /** Refuses and cuts everything. */
    @Override
    public void close() {
        refuse();
        release();
        cut();
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static Thread acceptFrom(ServerSocket socket, FaultProxy proxy) {
        Thread thread = new Thread(() -> proxy.acceptLoop(socket), "fault-proxy " + socket.getLocalPort() + " accept");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void acceptLoop(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                connect(socket.accept());
            } catch (IOException ignored) {
                // Either the listener was closed, and the loop ends, or one client is gone already.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket server = new Socket(node.host(), node.port());
            Link link = new Link(client, server, requests, replies, this::forget);
            synchronized (this) {
                links.add(link);
                notifyAll();
            }
            link.start();
        } catch (IOException e) {
            // The server is down: the client learns it by losing its connection.
            Link.closeQuietly(client);
            throw e;
        }
    }

    private synchronized void forget(Link link) {
        links.remove(link);
        notifyAll();
    }

    private synchronized List<Link> openLinks() {
        return List.copyOf(links);
    }
}
