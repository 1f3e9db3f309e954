package io.ddlrep.gateway.scram;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;

/** What binds a login to the server's certificate: {@code tls-server-end-point} of RFC 5929, section 4.1. Stateless. */
public final class ChannelBinding {
    /** What the header of a login calls it. */
    static final String TYPE = "tls-server-end-point";

    private ChannelBinding() {}

    /**
     * What the last message of a client says of its channel, in base64.
     *
     * @param header of its first message; the hash belongs to it where it begins with {@code p=}
     * @param hash of the server's certificate
     */
    static String attribute(String header, Optional<byte[]> hash) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(header.getBytes(StandardCharsets.UTF_8));
        if (header.startsWith("p=")) {
            bytes.writeBytes(hash.orElseThrow());
        }
        return Attributes.encode(bytes.toByteArray());
    }

    /**
     * The hash of a server's certificate.
     *
     * @throws GeneralSecurityException where the certificate cannot be encoded
     */
    public static byte[] of(X509Certificate certificate) throws GeneralSecurityException {
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
}
