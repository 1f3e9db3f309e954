package io.ddlrep.testkit.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Gives a copied cluster a system identifier of its own, as {@code initdb} would: copies with one identity would look
 * like clones of each other. The identifier is the first field of {@code pg_control}, which a CRC closes, and stands in
 * the header of the first page of each WAL segment. Stateless and thread-safe.
 */
final class SystemIdentifier {

    private static final int IDENTIFIER_IN_SEGMENT = 24;
    private static final int SMALLEST_CONTROL_DATA = 200;
    private static final int LARGEST_CONTROL_DATA = 512;

    private SystemIdentifier() {}

    static void renew(Path dataDirectory) throws IOException {
        long identifier = new SecureRandom().nextLong() & Long.MAX_VALUE;
        Path control = dataDirectory.resolve("global").resolve("pg_control");
        ByteBuffer data = ByteBuffer.wrap(Files.readAllBytes(control)).order(ByteOrder.nativeOrder());
        long former = data.getLong(0);
        int crcOffset = crcOffset(data);
        data.putLong(0, identifier);
        data.putInt(crcOffset, crc(data, crcOffset));
        Files.write(control, data.array());
        List<Path> segments;
        try (Stream<Path> files = Files.list(dataDirectory.resolve("pg_wal"))) {
            segments = files.filter(Files::isRegularFile).toList();
        }
        for (Path segment : segments) {
            ByteBuffer wal = ByteBuffer.wrap(Files.readAllBytes(segment)).order(ByteOrder.nativeOrder());
            if (wal.limit() > IDENTIFIER_IN_SEGMENT + Long.BYTES && wal.getLong(IDENTIFIER_IN_SEGMENT) == former) {
                wal.putLong(IDENTIFIER_IN_SEGMENT, identifier);
                Files.write(segment, wal.array());
            }
        }
    }

    /** The CRC covers all that stands before it, so its place shows itself whatever the version's fields are. */
    private static int crcOffset(ByteBuffer data) throws IOException {
        for (int offset = SMALLEST_CONTROL_DATA; offset < LARGEST_CONTROL_DATA; offset += Integer.BYTES) {
            if (crc(data, offset) == data.getInt(offset)) {
                return offset;
            }
        }
        throw new IOException("no CRC found in pg_control");
    }

    private static int crc(ByteBuffer data, int length) {
        CRC32C crc = new CRC32C();
        crc.update(data.slice(0, length));
        return (int) crc.getValue();
    }
}
