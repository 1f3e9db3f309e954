package io.ddlrep.testkit.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Randomness that can be run again: each run of a property gets a generator made from one number, a failure names the
 * number, and property {@code ddlrep.seed} runs exactly that one. Stateless and thread-safe.
 */
public final class Seeded {

    /** Property that replaces all runs by one with this seed. */
    public static final String SEED = "ddlrep.seed";

    /** A property of the code under test; throws when it does not hold. */
    @FunctionalInterface
    public interface Check {
        void run(SplittableRandom random) throws Exception;
    }

    private Seeded() {}

    /** Runs the check {@code runs} times with fresh seeds, or once with the seed of the property. */
    public static void check(int runs, Check check) {
        Long fixed = Long.getLong(SEED);
        if (fixed != null) {
            run(fixed, check);
            return;
        }
        SplittableRandom seeds = new SplittableRandom();
        for (int i = 0; i < runs; i++) {
            run(seeds.nextLong(), check);
        }
    }

    /** The seed of the property, else a fresh one; for tests that print it themselves. */
    public static long seed() {
        return Long.getLong(SEED, new SplittableRandom().nextLong());
    }

    private static void run(long seed, Check check) {
        try {
            check.run(new SplittableRandom(seed));
        } catch (Exception | AssertionError e) {
            throw new AssertionError("failed with -D" + SEED + "=" + seed + ": " + e.getMessage(), e);
        }
    }

    /**
     * A shorter list that still fails, found by leaving out halves, then quarters, down to single elements. Crude, and
     * enough to read the failure.
     *
     * @param fails must be true for {@code list}
     */
    public static <T> List<T> shrink(List<T> list, Predicate<List<T>> fails) {
        List<T> smallest = List.copyOf(list);
        int part = Math.max(1, smallest.size() / 2);
        while (true) {
            List<T> shorter = firstShorter(smallest, part, fails);
            if (shorter.size() < smallest.size()) {
                smallest = shorter;
                part = Math.max(1, Math.min(part, smallest.size() / 2));
            } else if (part == 1) {
                return smallest;
            } else {
                part /= 2;
            }
        }
    }

    private static <T> List<T> firstShorter(List<T> list, int part, Predicate<List<T>> fails) {
        for (int from = 0; from < list.size(); from += part) {
            List<T> candidate = new ArrayList<>(list.subList(0, from));
            candidate.addAll(list.subList(Math.min(list.size(), from + part), list.size()));
            if (fails.test(candidate)) {
                return candidate;
            }
        }
        return list;
    }
}
