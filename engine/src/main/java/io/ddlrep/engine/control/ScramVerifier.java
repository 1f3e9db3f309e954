package io.ddlrep.engine.control;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Base64.Encoder;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What PostgreSQL stores for a SCRAM-SHA-256 password. Made once and set on every node, so that the role has the same
 * verifier everywhere and the password itself is sent to none of them. Immutable; never prints itself.
 */
public final class ScramVerifier {
    private static final int ITERATIONS = 4096;

    private final String text;

    private ScramVerifier(String text) {
        this.text = text;
    }

    /**
     * A verifier with a random salt.
     *
     * @param password printable ASCII, where SASLprep changes nothing
     * @throws IllegalArgumentException for any other password
     */
    public static ScramVerifier of(String password) {
        byte[] salt = new byte[16];
        new SecureRandom().nextBytes(salt);
        return of(password, salt);
    }

    static ScramVerifier of(String password, byte[] salt) {
        if (password.isEmpty() || !password.chars().allMatch(c -> c >= ' ' && c < 127)) {
            throw new IllegalArgumentException("the password of a role of ddlrep must be printable ASCII");
        }
        try {
            byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, 256))
                    .getEncoded();
            byte[] stored = MessageDigest.getInstance("SHA-256").digest(hmac(salted, "Client Key"));
            byte[] server = hmac(salted, "Server Key");
            Encoder base64 = Base64.getEncoder();
            return new ScramVerifier("SCRAM-SHA-256$" + ITERATIONS + ":" + base64.encodeToString(salt) + "$"
                    + base64.encodeToString(stored) + ":" + base64.encodeToString(server));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256 and PBKDF2", e);
        }
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The text that {@code ALTER ROLE … PASSWORD} takes; letters, digits and {@code $:+/=-} only. */
    public String sql() {
        return text;
    }

    @Override
    public String toString() {
        return "ScramVerifier";
    }
}
