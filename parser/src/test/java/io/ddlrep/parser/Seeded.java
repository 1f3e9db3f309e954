package io.ddlrep.parser;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Runs a property many times, each time with other random choices. A failure names the seed; {@code -Dseed=…} runs that
 * one case alone.
 */
final class Seeded {
    private Seeded() {}

    static void run(int cases, Consumer<SplittableRandom> property) {
        Long only = Long.getLong("seed");
        SplittableRandom seeds = new SplittableRandom();
        for (int i = 0; i < (only == null ? cases : 1); i++) {
            long seed = only == null ? seeds.nextLong() : only;
            try {
                property.accept(new SplittableRandom(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("run again with -Dseed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    static <T> T pick(SplittableRandom random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
