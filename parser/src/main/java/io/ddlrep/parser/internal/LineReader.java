package io.ddlrep.parser.internal;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Reads lines as psql does: they end at a line feed, and a carriage return before it is a part of the line. One thread at a time. */
public final class LineReader {
    private static final int CHUNK = 8192;

    private final Reader reader;
    private final char[] chunk = new char[CHUNK];
    private int next;
    private int limit;

    /** Lines of a text from where it stands; it is not closed. */
    public LineReader(Reader reader) {
        this.reader = reader;
    }

    /** The next line without its line feed; null at the end. */
    public @Nullable String next() {
        StringBuilder line = null;
        while (fill()) {
            int end = next;
            while (end < limit && chunk[end] != '\n') {
                end++;
            }
            if (line == null) {
                line = new StringBuilder();
            }
            line.append(chunk, next, end - next);
            next = end;
            if (end < limit) {
                next++;
                return line.toString();
            }
        }
        return line == null ? null : line.toString();
    }

    private boolean fill() {
        if (next < limit) {
            return true;
        }
        try {
            next = 0;
            limit = Math.max(0, reader.read(chunk, 0, chunk.length));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        return limit > 0;
    }
}
