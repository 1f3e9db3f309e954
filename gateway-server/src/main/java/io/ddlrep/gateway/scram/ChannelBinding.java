package io.ddlrep.gateway.scram;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Locale;

/** What binds a login to the server's certificate: {@code tls-server-end-point} of RFC 5929, section 4.1. Stateless. */
public final class ChannelBinding {
    private ChannelBinding() {}

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
