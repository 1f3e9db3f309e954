package io.ddlrep.gateway.scram;

import java.util.Base64;

/** Reads the attributes of one message, {@code x=value}, in their order. Used by one thread. */
final class Attributes {
    private final String text;
    private int at;

    Attributes(String text) {
        this.text = text;
    }

    /** The value of the next attribute, which must have this name. */
    String next(char name) throws ScramException {
        if (!isNext(name)) {
            throw ScramException.malformed("Attribute \"" + name + "\" was expected.");
        }
        int end = text.indexOf(',', at);
        String value = text.substring(at + 2, end < 0 ? text.length() : end);
        at = end < 0 ? text.length() : end + 1;
        return value;
    }

    boolean isNext(char name) {
        return text.startsWith(name + "=", at);
    }

    /** Passes by extensions up to an attribute with this name, which must be the last one. */
    void skipTo(char name) throws ScramException {
        while (!isNext(name)) {
            int end = text.indexOf(',', at);
            if (end < 0) {
                throw ScramException.malformed("Attribute \"" + name + "\" was expected.");
            }
            at = end + 1;
        }
    }

    /** Where the next attribute begins. */
    int position() {
        return at;
    }

    boolean isAtEnd() {
        return at == text.length();
    }

    static byte[] decode(String base64) throws ScramException {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw ScramException.malformed("A value is not in base64.");
        }
    }

    static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
