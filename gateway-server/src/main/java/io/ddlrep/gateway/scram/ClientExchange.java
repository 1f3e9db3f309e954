package io.ddlrep.gateway.scram;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/**
 * The client's side: logs in by a key, without a password, on a server that has the same verifier. One login, one thread.
 */
public final class ClientExchange {
    private static final String NOT_BOUND = "n,,";
    private static final String NOT_OFFERED = "y,,";
    private static final String BOUND = "p=" + ChannelBinding.TYPE + ",,";

    private final ClientKey key;
    private final Optional<byte[]> binding;
    private final String clientFirstBare;
    private final String clientNonce;
    private String header = NOT_BOUND;
    private String authMessage = "";

    /**
     * Begins one.
     *
     * @param key the user's
     * @param binding the hash of the server's certificate, by {@link ChannelBinding}; empty where the connection is not
     *     encrypted
     */
    public ClientExchange(ClientKey key, Optional<byte[]> binding) {
        this(key, binding, ServerExchange.randomNonce());
    }

    ClientExchange(ClientKey key, Optional<byte[]> binding, String clientNonce) {
        this.key = key;
        this.binding = binding;
        this.clientNonce = clientNonce;
        // PostgreSQL takes the user from the startup packet.
        this.clientFirstBare = "n=,r=" + clientNonce;
    }

    /**
     * The first message, as {@code SASLInitialResponse} carries it.
     *
     * @param offered the mechanisms that the server takes
     * @throws ScramException 28000 where none of them is known here
     */
    public byte[] initialResponse(List<String> offered) throws ScramException {
        byte[] name = mechanism(offered).getBytes(StandardCharsets.US_ASCII);
        byte[] message = first().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(name.length + 1 + Integer.BYTES + message.length)
                .put(name)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
    }

    /** Chooses one of the offered mechanisms. */
    String mechanism(List<String> offered) throws ScramException {
        boolean bound = binding.isPresent() && offered.contains(ServerExchange.MECHANISM_PLUS);
        if (!bound && !offered.contains(ServerExchange.MECHANISM)) {
            throw new ScramException("28000", "the node does not take SCRAM-SHA-256", "");
        }
        // A server that does offer it takes "y" for the sign that somebody in between has hidden the offer.
        header = bound ? BOUND : binding.isPresent() ? NOT_OFFERED : NOT_BOUND;
        return bound ? ServerExchange.MECHANISM_PLUS : ServerExchange.MECHANISM;
    }

    /** The first message, for the mechanism that was chosen. */
    String first() {
        return header + clientFirstBare;
    }

    /**
     * Answers the server's first message.
     *
     * @throws ScramException 28P01 where the server has another verifier, so that this key is not good there
     */
    public String last(byte[] message) throws ScramException {
        String serverFirst = new String(message, StandardCharsets.UTF_8);
        Attributes attributes = new Attributes(serverFirst);
        String nonce = attributes.next('r');
        byte[] salt = Attributes.decode(attributes.next('s'));
        String iterations = attributes.next('i');
        if (!nonce.startsWith(clientNonce) || nonce.length() == clientNonce.length()) {
            throw new ScramException("08P01", "invalid SCRAM response", "Nonce does not match.");
        }
        Verifier verifier = key.verifier();
        if (!MessageDigest.isEqual(salt, verifier.salt())
                || !iterations.equals(Integer.toString(verifier.iterations()))) {
            throw new ScramException(
                    "28P01",
                    "the password's verifier is not the one of the origin",
                    "Where a password was set on each node by itself, each has another salt, and a login cannot be passed on.");
        }
        String withoutProof = "c=" + ChannelBinding.attribute(header, binding) + ",r=" + nonce;
        authMessage = clientFirstBare + "," + serverFirst + "," + withoutProof;
        return withoutProof + ",p=" + Attributes.encode(key.proof(authMessage));
    }

    /**
     * Checks the server's last message.
     *
     * @throws ScramException 28P01 where the server does not have the verifier
     */
    public void verify(byte[] message) throws ScramException {
        Attributes attributes = new Attributes(new String(message, StandardCharsets.UTF_8));
        byte[] signature = Attributes.decode(attributes.next('v'));
        if (!MessageDigest.isEqual(signature, Hashes.hmac(key.verifier().serverKey(), authMessage))) {
            throw new ScramException(
                    "28P01", "the server's signature is wrong", "It may not be the server that it seems.");
        }
    }
}
