package io.ddlrep.parser.internal;

/** Counts bytes of UTF-8 without making them. Stateless and thread-safe. */
public final class Utf8 {
    private Utf8() {}

    /** How many bytes a range of the text has in UTF-8; a lone surrogate counts as the one byte of a question mark. */
    public static int length(String text, int from, int to) {
        int bytes = 0;
        int i = from;
        while (i < to) {
            char c = text.charAt(i++);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c) && i < to && Character.isLowSurrogate(text.charAt(i))) {
                bytes += 4;
                i++;
            } else {
                bytes++;
            }
        }
        return bytes;
    }
}
