package io.ddlrep.gateway.startup;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Locale;

/**
 * How connections of clients are encrypted: with the gateway's own certificate. Immutable and thread-safe; never prints its
 * key.
 */
public final class Tls {
    /** What a client that begins with TLS at once must speak inside it, as PostgreSQL 17 asks. */
    static final String PROTOCOL = "postgresql";

    /** With what a connection is encrypted; not set where it is not. */
    public static final AttributeKey<Tls> OF = AttributeKey.valueOf(Tls.class, "OF");

    private final SslContext context;
    private final byte[] certificateHash;

    private Tls(SslContext context, byte[] certificateHash) {
        this.context = context;
        this.certificateHash = certificateHash;
    }

    /**
     * Reads a certificate and its key.
     *
     * @param certificate PEM; the gateway's own certificate first, then those up to an authority
     * @param key PEM, PKCS 8, not encrypted
     * @throws IOException where one of them cannot be read or is not what it should be
     */
    public static Tls of(Path certificate, Path key) throws IOException {
        try (InputStream first = Files.newInputStream(certificate)) {
            X509Certificate own =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(first);
            SslContext context = SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            PROTOCOL))
                    .build();
            return new Tls(context, hash(own));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("certificate " + certificate + " and key " + key + ": " + e.getMessage(), e);
        }
    }

    /** The hash that binds a login to the certificate: {@code tls-server-end-point} of RFC 5929, section 4.1. */
    private static byte[] hash(X509Certificate certificate) throws GeneralSecurityException {
        String signature = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
        int with = signature.indexOf("WITH");
        String name = with < 0 ? "SHA256" : signature.substring(0, with);
        String algorithm = switch (name) {
            // Too weak to be used for this.
            case "MD5", "SHA1" -> "SHA-256";
            default -> name.matches("SHA[0-9]{3}") ? "SHA-" + name.substring(3) : "SHA-256";
        };
        return MessageDigest.getInstance(algorithm).digest(certificate.getEncoded());
    }

    /** Encrypts one connection. */
    SslHandler handler(Channel channel) {
        channel.attr(OF).set(this);
        return context.newHandler(channel.alloc());
    }

    /** The hash of the certificate; not to be changed. */
    public byte[] certificateHash() {
        return certificateHash;
    }

    @Override
    public String toString() {
        return "Tls";
    }
}
