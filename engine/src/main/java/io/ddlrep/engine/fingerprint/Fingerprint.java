package io.ddlrep.engine.fingerprint;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/**
 * What a node's catalogs say about one relation or schema. Immutable.
 *
 * @param relation its qualified name, quoted where SQL needs it
 * @param facts sorted by bytes; each is object, tab, property, tab, value; empty where the relation does not exist
 * @param hash SHA-256 of the facts joined by newlines, as hex; the same as {@code ddlrep.fingerprint_hash()} tells
 */
public record Fingerprint(String relation, List<String> facts, String hash) {
    /** Copies the list. */
    public Fingerprint {
        facts = List.copyOf(facts);
    }

    /** A fingerprint with the hash of its facts. */
    static Fingerprint of(String relation, List<String> facts) {
        try {
            byte[] text = String.join("\n", facts).getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return new Fingerprint(relation, facts, HexFormat.of().formatHex(digest));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Whether the relation exists on the node. */
    public boolean exists() {
        return !facts.isEmpty();
    }
}
