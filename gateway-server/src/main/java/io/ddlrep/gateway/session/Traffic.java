package io.ddlrep.gateway.session;

import java.util.concurrent.atomic.LongAdder;

/** What has passed through the gateway since it began. Thread-safe. */
public final class Traffic {
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder sessions = new LongAdder();

    /** Nothing yet. */
    public Traffic() {}

    void receivedBytes(int bytes) {
        received.add(bytes);
    }

    void sentBytes(int bytes) {
        sent.add(bytes);
    }

    void answeredQueries(long queries) {
        if (queries != 0) {
            answered.add(queries);
        }
    }

    void session() {
        sessions.increment();
    }

    /** Bytes from clients, without what belongs to TLS and to logins. */
    public long received() {
        return received.sum();
    }

    /** Bytes to clients, without what belongs to TLS and to logins. */
    public long sent() {
        return sent.sum();
    }

    /** Queries, or pipelines, that the origin has answered. */
    public long queries() {
        return answered.sum();
    }

    /** Sessions that were begun. */
    public long sessions() {
        return sessions.sum();
    }
}
