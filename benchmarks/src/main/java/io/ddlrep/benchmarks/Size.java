package io.ddlrep.benchmarks;

import java.time.Duration;

/**
 * How much is measured. Immutable.
 *
 * @param scale 1.0 is the full amount of work
 * @param rounds of every benchmark; 0: each benchmark's own number
 */
public record Size(double scale, int rounds) {
    /** Checks the values. */
    public Size {
        if (!(scale > 0 && scale <= 10) || rounds < 0) {
            throw new IllegalArgumentException("scale " + scale + ", rounds " + rounds);
        }
    }

    /** {@code full} by scale, but at least {@code least}. */
    int count(int full, int least) {
        return Math.max(least, (int) Math.round(full * scale));
    }

    /** A time by scale, but never longer than {@code full}, nor shorter than a tenth of it. */
    Duration time(Duration full) {
        return Duration.ofMillis(Math.round(full.toMillis() * Math.min(1, Math.max(0.1, scale))));
    }

    /** The rounds of a benchmark whose own number is {@code own}. */
    int rounds(int own) {
        return rounds == 0 ? own : rounds;
    }
}
