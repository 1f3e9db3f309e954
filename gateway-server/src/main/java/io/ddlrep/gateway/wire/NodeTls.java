package io.ddlrep.gateway.wire;

import io.ddlrep.gateway.scram.ChannelBinding;
import io.netty.channel.Channel;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.AttributeKey;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * How connections to nodes are encrypted, in the words of libpq's {@code sslmode}. Immutable and thread-safe; never prints a
 * key.
 */
public final class NodeTls {
    /** Not at all. */
    public static final NodeTls NONE = new NodeTls(Mode.DISABLE, null);

    /** What binds a login to the certificate of the node at the other end of a channel; not set where it is not encrypted. */
    public static final AttributeKey<byte[]> BINDING = AttributeKey.valueOf(NodeTls.class, "BINDING");

    private static final int SSL_REQUEST = 80877103;
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final Mode mode;
    private final @Nullable SslContext context;

    private NodeTls(Mode mode, @Nullable SslContext context) {
        this.mode = mode;
        this.context = context;
    }

    /** What is asked of a node. */
    public enum Mode {
        /** No encryption. */
        DISABLE,
        /** Encryption where the node has it; its certificate may be anybody's. */
        PREFER,
        /** Encryption; its certificate may be anybody's. */
        REQUIRE,
        /** Encryption, and a certificate of a known authority. */
        VERIFY_CA,
        /** Encryption, and such a certificate for the name that was connected to. */
        VERIFY_FULL
    }

    /**
     * The gateway's own certificate, for nodes that know it by that.
     *
     * @param certificate PEM
     * @param key PEM, PKCS 8
     * @param password of the key; empty where it is not encrypted
     */
    public record Identity(Path certificate, Path key, Optional<String> password) {
        @Override
        public String toString() {
            return "Identity[" + certificate + "]";
        }
    }

    /**
     * Reads what is needed.
     *
     * @param mode what is asked of a node
     * @param authorities PEM, whose certificates are trusted; empty: those that Java trusts. Not read where nothing is verified
     * @param identity the gateway's own certificate; empty: it has none
     * @throws IOException where a file cannot be read or is not what it should be
     */
    public static NodeTls of(Mode mode, Optional<Path> authorities, Optional<Identity> identity) throws IOException {
        if (mode == Mode.DISABLE) {
            return NONE;
        }
        try {
            SslContextBuilder builder =
                    SslContextBuilder.forClient().sslProvider(SslProvider.JDK).protocols(PROTOCOLS);
            if (mode.compareTo(Mode.VERIFY_CA) < 0) {
                builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
            } else if (authorities.isPresent()) {
                builder.trustManager(authorities.get().toFile());
            }
            if (identity.isPresent()) {
                File certificate = identity.get().certificate().toFile();
                builder.keyManager(
                        certificate,
                        identity.get().key().toFile(),
                        identity.get().password().orElse(null));
            }
            builder.endpointIdentificationAlgorithm(identification(mode));
            return new NodeTls(mode, builder.build());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "sslrootcert " + authorities.map(Path::toString).orElse("(none)") + ", sslcert and sslkey "
                            + identity.map(Identity::toString).orElse("(none)") + ": " + e.getMessage(),
                    e);
        }
    }

    /** What asks a node for encryption. */
    static byte[] request() {
        return ByteBuffer.allocate(2 * Integer.BYTES)
                .putInt(2 * Integer.BYTES)
                .putInt(SSL_REQUEST)
                .array();
    }

    /**
     * What is to be done after a node's answer.
     *
     * @param answer one byte, or -1 where the node has closed the connection
     * @param more whether something came behind it
     * @return whether to encrypt; else the connection goes on as it is
     * @throws IOException where it must not go on
     */
    boolean encrypts(int answer, boolean more) throws IOException {
        if (more) {
            // What somebody slipped in between must not be taken for part of the encrypted stream (CVE-2021-23222).
            throw new IOException("received unencrypted data after SSL response");
        }
        return switch (answer) {
            case 'S' -> true;
            case 'N' -> {
                if (mode != Mode.PREFER) {
                    throw new IOException("the server does not support SSL, but SSL was required");
                }
                yield false;
            }
            case -1 -> throw new IOException("the server closed the connection");
            default -> throw new IOException("received invalid response to SSL negotiation: " + (char) answer);
        };
    }

    /** What binds a login to the node's certificate. */
    static byte[] binding(SSLSession session) throws IOException {
        try {
            return ChannelBinding.of((X509Certificate) session.getPeerCertificates()[0]);
        } catch (GeneralSecurityException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Whether nodes are asked for encryption. */
    boolean isAsked() {
        return context != null;
    }

    /** Encrypts a connection. */
    SslHandler handler(Channel channel, String host, int port) {
        if (context == null) {
            throw new IllegalStateException("not encrypted");
        }
        return context.newHandler(channel.alloc(), host, port);
    }

    /**
     * Encrypts a connection that a thread waits for; its handshake is still to be done.
     *
     * @param plain is closed with it
     */
    SSLSocket socket(Socket plain, String host, int port) throws IOException {
        if (!(context instanceof JdkSslContext jdk)) {
            throw new IllegalStateException("not encrypted");
        }
        SSLSocket socket = (SSLSocket) jdk.context().getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setEndpointIdentificationAlgorithm(identification(mode));
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** What the name in a certificate is compared by; null where it may be any. */
    private static @Nullable String identification(Mode mode) {
        return mode == Mode.VERIFY_FULL ? "HTTPS" : null;
    }

    @Override
    public String toString() {
        return "NodeTls[" + mode + "]";
    }
}
