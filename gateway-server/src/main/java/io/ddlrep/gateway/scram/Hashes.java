package io.ddlrep.gateway.scram;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The functions of RFC 5802, section 2.2. Stateless. */
final class Hashes {
    /** Bytes in every key, signature and proof. */
    static final int SIZE = 32;

    private Hashes() {}

    static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    static byte[] hmac(byte[] key, String text) {
        return hmac(key, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] sha256(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static byte[] xor(byte[] one, byte[] other) {
        byte[] result = new byte[SIZE];
        for (int i = 0; i < SIZE; i++) {
            result[i] = (byte) (one[i] ^ other[i]);
        }
        return result;
    }
}
