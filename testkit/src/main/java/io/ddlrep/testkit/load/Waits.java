package io.ddlrep.testkit.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How long statements took, and which still run. Times are System.nanoTime. Thread-safe. */
final class Waits {

    /** A statement that has begun; identity is what counts. */
    static final class Running {
        private final long start;

        private Running(long start) {
            this.start = start;
        }
    }

    private record Past(long start, long end) {}

    private final Set<Running> running = new HashSet<>();
    private final List<Past> past = new ArrayList<>();

    synchronized Running begin() {
        Running statement = new Running(System.nanoTime());
        running.add(statement);
        return statement;
    }

    synchronized void end(Running statement) {
        running.remove(statement);
        past.add(new Past(statement.start, System.nanoTime()));
    }

    /** The longest statement that was running at any time between the two; those that still run count up to now. */
    synchronized Duration longest(long from, long to) {
        long now = System.nanoTime();
        long longest = 0;
        for (Past statement : past) {
            if (statement.end - from >= 0 && statement.start - to <= 0) {
                longest = Math.max(longest, statement.end - statement.start);
            }
        }
        for (Running statement : running) {
            if (statement.start - to <= 0) {
                longest = Math.max(longest, now - statement.start);
            }
        }
        return Duration.ofNanos(longest);
    }

    synchronized long count() {
        return past.size();
    }
}
