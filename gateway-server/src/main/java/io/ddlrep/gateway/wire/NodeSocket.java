package io.ddlrep.gateway.wire;

import io.ddlrep.engine.node.NodeAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;

/**
 * A connection to a node for one thread that waits for its answers, encrypted as is asked for: between the server and that
 * thread there is no other. Not thread-safe, but for {@link #close}.
 */
public final class NodeSocket {
    /** A node that vanished while it is waited for is given up after 90 seconds. */
    private static final Map<SocketOption<Integer>, Integer> KEEPALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 60,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 10,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

    private final Socket plain;
    private Socket top;
    private Optional<byte[]> binding = Optional.empty();

    private NodeSocket(Socket plain) {
        this.plain = plain;
        this.top = plain;
    }

    /**
     * Connects.
     *
     * @param limit how long each of the connection and its encryption may take
     * @throws IOException where the node cannot be reached, or will not be encrypted as is asked for
     */
    public static NodeSocket connect(NodeAddress address, NodeTls tls, Duration limit) throws IOException {
        int millis = Math.toIntExact(limit.toMillis());
        NodeSocket socket = new NodeSocket(new Socket());
        try {
            socket.configure();
            socket.plain.connect(new InetSocketAddress(address.host(), address.port()), millis);
            if (tls.isAsked()) {
                socket.plain.setSoTimeout(millis);
                socket.encrypt(address, tls);
                socket.plain.setSoTimeout(0);
            }
            return socket;
        } catch (SocketTimeoutException e) {
            socket.close();
            throw new IOException(where(address) + ": no answer within " + limit.toSeconds() + " s", e);
        } catch (IOException e) {
            socket.close();
            throw new IOException(where(address) + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static String where(NodeAddress address) {
        return address.host() + ":" + address.port();
    }

    private void configure() throws IOException {
        plain.setTcpNoDelay(true);
        plain.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (Map.Entry<SocketOption<Integer>, Integer> option : KEEPALIVE.entrySet()) {
            if (plain.supportedOptions().contains(option.getKey())) {
                plain.setOption(option.getKey(), option.getValue());
            }
        }
    }

    private void encrypt(NodeAddress address, NodeTls tls) throws IOException {
        plain.getOutputStream().write(NodeTls.request());
        int answer = plain.getInputStream().read();
        if (tls.encrypts(answer, plain.getInputStream().available() > 0)) {
            SSLSocket encrypted = tls.socket(plain, address.host(), address.port());
            encrypted.startHandshake();
            binding = Optional.of(NodeTls.binding(encrypted.getSession()));
            top = encrypted;
        }
    }

    /** What is read and written. */
    public Socket socket() {
        return top;
    }

    /** What binds a login to the node's certificate; empty where the connection is not encrypted. */
    public Optional<byte[]> binding() {
        return binding;
    }

    /** Whether it was closed here. */
    public boolean isClosed() {
        return plain.isClosed();
    }

    /** Ends it, whatever waits for it, and without a word to the other side, which might have to be waited for. */
    public void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // It is gone in any case.
        }
    }
}
