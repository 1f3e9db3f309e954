package io.ddlrep.engine.replication;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A {@code pg_snapshot}: which transactions were finished. Immutable.
 *
 * @param xmin all below are finished
 * @param xmax none from here on has finished; some may be running, and are not listed
 * @param running those between that had not finished, ascending
 */
public record PgSnapshot(long xmin, long xmax, List<Long> running) {
    /** Copies its list. */
    public PgSnapshot {
        running = List.copyOf(running);
    }

    /**
     * Reads {@code xmin:xmax:xid,xid}.
     *
     * @throws IllegalArgumentException when the text is not a snapshot
     */
    public static PgSnapshot parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("not a pg_snapshot: " + text);
        }
        List<Long> running = parts[2].isEmpty()
                ? List.of()
                : Arrays.stream(parts[2].split(",", -1)).map(Long::valueOf).toList();
        return new PgSnapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
    }

    /** Whether a transaction was finished. */
    public boolean sees(long xid) {
        return xid < xmin || (xid < xmax && !running.contains(xid));
    }

    /** Whether everything that the other sees is seen here too. */
    public boolean covers(PgSnapshot other) {
        if (running.stream().anyMatch(other::sees)) {
            return false;
        }
        if (xmax >= other.xmax) {
            return true;
        }
        if (other.xmax - xmax > other.running.size()) {
            return false;
        }
        for (long xid = xmax; xid < other.xmax; xid++) {
            if (other.sees(xid)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return xmin + ":" + xmax + ":" + running.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
