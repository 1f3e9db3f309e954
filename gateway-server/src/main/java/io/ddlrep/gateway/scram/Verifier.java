package io.ddlrep.gateway.scram;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What PostgreSQL keeps of a password ({@code pg_authid.rolpassword}). Not a secret that logs in by itself, but enough to
 * guess weak passwords by: never prints itself. Immutable.
 */
public final class Verifier {
    private static final Pattern FORM =
            Pattern.compile("SCRAM-SHA-256\\$([0-9]{1,9}):([A-Za-z0-9+/=]+)\\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)");

    private static final int USUAL_ITERATIONS = 4096;
    private static final int USUAL_SALT = 16;

    private final int iterations;
    private final byte[] salt;
    private final byte[] storedKey;
    private final byte[] serverKey;
    private final boolean real;

    private Verifier(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey, boolean real) {
        this.iterations = iterations;
        this.salt = salt;
        this.storedKey = storedKey;
        this.serverKey = serverKey;
        this.real = real;
    }

    /** Reads one; empty where the text is of another method, as md5, or broken. */
    public static Optional<Verifier> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            Base64.Decoder base64 = Base64.getDecoder();
            int iterations = Integer.parseInt(form.group(1));
            byte[] salt = base64.decode(form.group(2));
            byte[] storedKey = base64.decode(form.group(3));
            byte[] serverKey = base64.decode(form.group(4));
            boolean sound = iterations > 0 && storedKey.length == Hashes.SIZE && serverKey.length == Hashes.SIZE;
            return sound ? Optional.of(new Verifier(iterations, salt, storedKey, serverKey, true)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * One that nobody can log in by, for users who are not there or have no such password: to whom asks, it looks like any
     * other, and the same each time ({@code mock_scram_secret} of PostgreSQL).
     *
     * @param secret bytes that only the gateways of the group know
     * @param user the name that was given
     */
    public static Verifier mock(byte[] secret, String user) {
        byte[] salt = new byte[USUAL_SALT];
        System.arraycopy(Hashes.hmac(secret, user), 0, salt, 0, USUAL_SALT);
        return new Verifier(USUAL_ITERATIONS, salt, new byte[Hashes.SIZE], new byte[Hashes.SIZE], false);
    }

    int iterations() {
        return iterations;
    }

    byte[] salt() {
        return salt;
    }

    byte[] storedKey() {
        return storedKey;
    }

    byte[] serverKey() {
        return serverKey;
    }

    boolean isReal() {
        return real;
    }

    @Override
    public String toString() {
        return "Verifier";
    }
}
