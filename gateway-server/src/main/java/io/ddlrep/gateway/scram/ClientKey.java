package io.ddlrep.gateway.scram;

import java.util.Arrays;

/**
 * What a client proved to have: by it the gateway logs in as that client on every node that has the same verifier. Lives in
 * one session, which wipes it at its end; never prints itself. Used by one thread at a time.
 */
public final class ClientKey implements AutoCloseable {
    private final byte[] key;
    private final Verifier verifier;

    ClientKey(byte[] key, Verifier verifier) {
        this.key = key;
        this.verifier = verifier;
    }

    byte[] proof(String authMessage) {
        return Hashes.xor(key, Hashes.hmac(verifier.storedKey(), authMessage));
    }

    Verifier verifier() {
        return verifier;
    }

    /** Wipes it. */
    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }

    @Override
    public String toString() {
        return "ClientKey";
    }
}
