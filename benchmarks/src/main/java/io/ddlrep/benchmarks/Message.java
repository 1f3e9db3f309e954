package io.ddlrep.benchmarks;

import java.util.Locale;

/**
 * One message to a node and the wait for its answer. Immutable.
 *
 * @param node to which node
 * @param session what the session is for, by its application_name
 * @param head the beginning of the text, on one line
 * @param start by System.nanoTime
 * @param nanos until the answer was there
 */
record Message(String node, String session, String head, long start, long nanos) {
    private static final int HEAD = 110;

    static Message of(String node, String session, String sql, long start) {
        long nanos = System.nanoTime() - start;
        String line = sql.replaceAll("\\s+", " ").strip();
        return new Message(node, session, line.length() > HEAD ? line.substring(0, HEAD) : line, start, nanos);
    }

    /** What messages of the same kind have in common: numbers and identifiers of operations left out. */
    String kind() {
        return String.format(
                Locale.ROOT, "%-3s %-15s %s", node, session, head.replaceAll("[0-9a-f]*[0-9][0-9a-f]*", "#"));
    }
}
