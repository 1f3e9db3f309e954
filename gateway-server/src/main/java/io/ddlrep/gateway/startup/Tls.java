package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.scram.ChannelBinding;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
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
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;

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
    private final UserMap users;

    private Tls(SslContext context, byte[] certificateHash, UserMap users) {
        this.context = context;
        this.certificateHash = certificateHash;
        this.users = users;
    }

    /**
     * Certificates of clients.
     *
     * @param authorities PEM, whose certificates are good
     * @param users who may log in as whom
     */
    public record Clients(Path authorities, UserMap users) {}

    /**
     * Reads a certificate and its key.
     *
     * @param certificate PEM; the gateway's own certificate first, then those up to an authority
     * @param key PEM, PKCS 8, not encrypted
     * @param clients whose certificates clients may show; empty: they are not asked for any
     * @throws IOException where one of them cannot be read or is not what it should be
     */
    public static Tls of(Path certificate, Path key, Optional<Clients> clients) throws IOException {
        try (InputStream first = Files.newInputStream(certificate)) {
            X509Certificate own =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(first);
            SslContextBuilder builder = SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            PROTOCOL));
            // Who shows none is told so by an ERROR, as the server does it, and not by a handshake that breaks off.
            clients.ifPresent(
                    each -> builder.trustManager(each.authorities().toFile()).clientAuth(ClientAuth.OPTIONAL));
            return new Tls(
                    builder.build(),
                    ChannelBinding.of(own),
                    clients.map(Clients::users).orElse(UserMap.SAME_NAME));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            String authorities =
                    clients.map(each -> ", authorities " + each.authorities()).orElse("");
            throw new IOException(
                    "certificate " + certificate + " and key " + key + authorities + ": " + e.getMessage(), e);
        }
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

    /**
     * The common name in the certificate that a client has shown.
     *
     * @return empty where it has shown none, or one without a name
     */
    public static Optional<String> nameOf(Channel client) {
        SslHandler handler = client.pipeline().get(SslHandler.class);
        if (handler == null) {
            return Optional.empty();
        }
        try {
            X509Certificate shown =
                    (X509Certificate) handler.engine().getSession().getPeerCertificates()[0];
            List<Rdn> names = new LdapName(shown.getSubjectX500Principal().getName()).getRdns();
            return names.stream()
                    .filter(each -> each.getType().equalsIgnoreCase("CN") && each.getValue() instanceof String)
                    .map(each -> (String) each.getValue())
                    .findFirst();
        } catch (SSLPeerUnverifiedException | InvalidNameException e) {
            return Optional.empty();
        }
    }

    /** Whether a certificate with this name may log in as this role. */
    public boolean admits(String certificate, String user) {
        return users.admits(certificate, user);
    }

    @Override
    public String toString() {
        return "Tls";
    }
}
