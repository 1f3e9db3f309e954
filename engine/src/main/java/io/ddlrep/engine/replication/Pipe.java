package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeSession.CopySink;
import io.ddlrep.engine.node.NodeSession.CopySource;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves the bytes of one binary COPY from its source to its sinks, in one pass, without looking at rows. Stateless.
 */
final class Pipe {
    /** A binary COPY without rows: signature, flags, extension length, trailer. */
    private static final int EMPTY = 11 + 4 + 4 + 2;

    private static final int CHUNK = 1 << 16;

    private Pipe() {}

    /**
     * Copies. The sinks are opened only when there is a row.
     *
     * @return rows
     */
    static long copy(CopySource source, Supplier<List<CopySink>> open) {
        ByteArrayOutputStream chunk = new ByteArrayOutputStream(CHUNK + 8192);
        byte @Nullable [] next = source.next();
        while (next != null && chunk.size() <= EMPTY) {
            chunk.writeBytes(next);
            next = source.next();
        }
        if (chunk.size() <= EMPTY) {
            return 0;
        }
        List<CopySink> sinks = new ArrayList<>();
        try {
            sinks.addAll(open.get());
            while (next != null) {
                chunk.writeBytes(next);
                if (chunk.size() >= CHUNK) {
                    flush(chunk, sinks);
                }
                next = source.next();
            }
            flush(chunk, sinks);
            long rows = 0;
            for (CopySink sink : sinks) {
                rows = sink.finish();
            }
            return rows;
        } finally {
            sinks.forEach(CopySink::close);
        }
    }

    private static void flush(ByteArrayOutputStream chunk, List<CopySink> sinks) {
        byte[] bytes = chunk.toByteArray();
        sinks.forEach(sink -> sink.write(bytes));
        chunk.reset();
    }
}
