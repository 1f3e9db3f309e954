package io.ddlrep.engine.control;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes the tickets that {@code ddlrep.spend()} checks. Immutable and thread-safe; the key never leaves it.
 */
public final class Tickets {
    private final SecretKeySpec key;

    /**
     * Makes an issuer.
     *
     * @param key the group's key, {@code ddlrep.secret.key}
     */
    public Tickets(byte[] key) {
        this.key = new SecretKeySpec(key, "HmacSHA256");
    }

    /**
     * A ticket.
     *
     * @param purpose enter, run, carry or decide
     * @param op the operation
     * @param n unique within the operation and node
     * @param backend the session that may use it, as {@code ddlrep.backend()} prints it
     * @param payload what it covers
     */
    public String issue(String purpose, String op, int n, String backend, String payload) {
        String digest = HexFormat.of().formatHex(sha256(payload.getBytes(StandardCharsets.UTF_8)));
        String message = String.join("|", purpose, op, Integer.toString(n), backend, digest);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(message.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    private static byte[] sha256(byte[] data) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "Tickets";
    }
}
