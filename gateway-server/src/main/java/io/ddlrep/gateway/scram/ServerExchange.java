package io.ddlrep.gateway.scram;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The server's side: finds out whether a client has the password of a verifier, and by that learns the client's key. One
 * login, one thread.
 *
 * <p>The rules are those of {@code auth-scram.c} in PostgreSQL, which ignores the user name in the message.
 */
public final class ServerExchange {
    /** Without channel binding. */
    public static final String MECHANISM = "SCRAM-SHA-256";

    /** With channel binding to the server's certificate. */
    public static final String MECHANISM_PLUS = "SCRAM-SHA-256-PLUS";

    private static final int NONCE_BYTES = 18;

    private final Verifier verifier;
    private final Optional<byte[]> certificateHash;
    private final String serverNonce;
    private String gs2Header = "";
    private String clientFirstBare = "";
    private String nonce = "";
    private String serverFirst = "";

    /**
     * Begins one.
     *
     * @param verifier of the user who logs in, or a mock
     * @param certificateHash the hash of the gateway's certificate as RFC 5929 has it, where the connection is encrypted
     */
    public ServerExchange(Verifier verifier, Optional<byte[]> certificateHash) {
        this(verifier, certificateHash, randomNonce());
    }

    ServerExchange(Verifier verifier, Optional<byte[]> certificateHash, String serverNonce) {
        this.verifier = verifier;
        this.certificateHash = certificateHash;
        this.serverNonce = serverNonce;
    }

    static String randomNonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Attributes.encode(bytes);
    }

    /** The error for a client that chose a mechanism which was not offered, or whose choice cannot be read. */
    public static ScramException refused() {
        return new ScramException("08P01", "client selected an invalid SASL authentication mechanism", "");
    }

    /**
     * Takes the client's first message.
     *
     * @param mechanism which the client chose
     * @param message as it came
     * @return the answer
     */
    public String first(String mechanism, byte[] message) throws ScramException {
        String text = new String(message, StandardCharsets.UTF_8);
        int bare = gs2Header(mechanism, text);
        gs2Header = text.substring(0, bare);
        clientFirstBare = text.substring(bare);
        Attributes attributes = new Attributes(clientFirstBare);
        if (attributes.isNext('m')) {
            throw new ScramException("0A000", "client requires an unsupported SCRAM extension", "");
        }
        attributes.next('n');
        String clientNonce = attributes.next('r');
        if (clientNonce.isEmpty() || !clientNonce.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw ScramException.malformed("Nonce is empty or has characters that cannot be printed.");
        }
        nonce = clientNonce + serverNonce;
        serverFirst = "r=" + nonce + ",s=" + Attributes.encode(verifier.salt()) + ",i=" + verifier.iterations();
        return serverFirst;
    }

    /** Checks the header and says where it ends. */
    private int gs2Header(String mechanism, String text) throws ScramException {
        boolean plus = mechanism.equals(MECHANISM_PLUS);
        int comma = text.indexOf(',');
        String flag = comma < 0 ? text : text.substring(0, comma);
        switch (flag) {
            case "n" -> {
                if (plus) {
                    throw ScramException.malformed(
                            "The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not include channel binding data.");
                }
            }
            case "y" -> {
                if (plus) {
                    throw ScramException.malformed(
                            "The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not include channel binding data.");
                }
                if (certificateHash.isPresent()) {
                    throw new ScramException(
                            "28000",
                            "SCRAM channel binding negotiation error",
                            "The client supports SCRAM channel binding but thinks the server does not. However, this server does"
                                    + " support channel binding.");
                }
            }
            default -> {
                if (!flag.startsWith("p=")) {
                    throw ScramException.malformed("Unexpected channel-binding flag.");
                }
                if (!plus) {
                    throw ScramException.malformed(
                            "The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel"
                                    + " binding data.");
                }
                if (!flag.substring(2).equals(ChannelBinding.TYPE)) {
                    throw new ScramException("08P01", "unsupported SCRAM channel-binding type", "");
                }
            }
        }
        if (text.startsWith("a=", comma + 1)) {
            throw new ScramException("0A000", "client uses authorization identity, but it is not supported", "");
        }
        if (comma < 0 || !text.startsWith(",", comma + 1)) {
            throw ScramException.malformed("The header is not complete.");
        }
        return comma + 2;
    }

    /**
     * Takes the client's last message.
     *
     * @return the answer, and the client's key
     * @throws ScramException 28P01 where the password is wrong
     */
    public Accepted last(byte[] message) throws ScramException {
        String text = new String(message, StandardCharsets.UTF_8);
        Attributes attributes = new Attributes(text);
        if (!attributes.next('c').equals(ChannelBinding.attribute(gs2Header, certificateHash))) {
            throw new ScramException("28000", "SCRAM channel binding check failed", "");
        }
        if (!MessageDigest.isEqual(
                attributes.next('r').getBytes(StandardCharsets.UTF_8), nonce.getBytes(StandardCharsets.UTF_8))) {
            throw new ScramException("08P01", "invalid SCRAM response", "Nonce does not match.");
        }
        attributes.skipTo('p');
        String withoutProof = text.substring(0, attributes.position() - 1);
        byte[] proof = Attributes.decode(attributes.next('p'));
        if (proof.length != Hashes.SIZE || !attributes.isAtEnd()) {
            throw ScramException.malformed("Malformed proof in client-final-message.");
        }
        String authMessage = clientFirstBare + "," + serverFirst + "," + withoutProof;
        byte[] key = Hashes.xor(proof, Hashes.hmac(verifier.storedKey(), authMessage));
        boolean same = MessageDigest.isEqual(Hashes.sha256(key), verifier.storedKey());
        if (!same || !verifier.isReal()) {
            throw new ScramException("28P01", "password authentication failed", "");
        }
        String answer = "v=" + Attributes.encode(Hashes.hmac(verifier.serverKey(), authMessage));
        return new Accepted(answer, new ClientKey(key, verifier));
    }

    /**
     * The client has the password. Immutable.
     *
     * @param answer the server's last message
     * @param key the client's key; the caller's to close
     */
    public record Accepted(String answer, ClientKey key) {}
}
