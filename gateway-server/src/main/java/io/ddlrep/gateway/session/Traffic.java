package io.ddlrep.gateway.session;

import java.util.concurrent.atomic.LongAdder;

/** What has passed through the gateway since it began. Thread-safe. */
public final class Traffic {
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder sessions = new LongAdder();
    private final LongAdder worked = new LongAdder();
    private final LongAdder workedNanos = new LongAdder();

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

    void worked(long nanos) {
        worked.increment();
        workedNanos.add(nanos);
    }

    /** Messages that the gateway ran itself: DDL, and what stands in one transaction with it. */
    public long worked() {
        return worked.sum();
    }

    /** How long it worked at them, waits for locks and for other operations included, in nanoseconds. */
    public long workedNanos() {
        return workedNanos.sum();
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
