package io.ddlrep.engine.control;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The key that a group's nodes share; tickets are made with it. Immutable and thread-safe; never prints itself.
 */
public final class GroupKey {
    private static final int BLOCK = 64;

    private final byte[] key;

    private GroupKey(byte[] key) {
        this.key = key.clone();
    }

    /** A new key of 32 random bytes. */
    public static GroupKey random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return new GroupKey(bytes);
    }

    /**
     * A key that exists.
     *
     * @param key 1 to 64 bytes; copied
     */
    public static GroupKey of(byte[] key) {
        if (key.length == 0 || key.length > BLOCK) {
            throw new IllegalArgumentException("a group key has 1 to 64 bytes");
        }
        return new GroupKey(key);
    }

    /** A copy of the key. */
    public byte[] bytes() {
        return key.clone();
    }

    /** The inner block of RFC 2104: the key, filled up with zeros, each byte xor 0x36. */
    public byte[] innerPad() {
        return pad((byte) 0x36);
    }

    /** The outer block of RFC 2104: the key, filled up with zeros, each byte xor 0x5c. */
    public byte[] outerPad() {
        return pad((byte) 0x5c);
    }

    /** An issuer of tickets with this key. */
    public Tickets tickets() {
        return new Tickets(key.clone());
    }

    private byte[] pad(byte with) {
        byte[] block = Arrays.copyOf(key, BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            block[i] ^= with;
        }
        return block;
    }

    @Override
    public String toString() {
        return "GroupKey";
    }
}
