package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Texts that were SQL before they were damaged, at random: nothing is thrown, every reading ends, and no byte is lost. Of the
 * golden corpus, and of the real SQL beside the project where it is there.
 */
class ScannerFuzzTest {
    /** How long; {@code -Dddlrep.fuzz.seconds=600} for longer, {@code -Dseed=…} for the one text of a failure. */
    private static final int SECONDS = Integer.getInteger("ddlrep.fuzz.seconds", 3);

    /** A text of this size is read in a millisecond or two. */
    private static final int LONGEST = 4_000;

    private static final int HANGS_AFTER_SECONDS = 30;

    private static final List<String> OF_PSQL = List.of(
            "\\g",
            "\\gset p_",
            "\\gexec\n",
            "\\;",
            "\\\\",
            "\\",
            "\\x",
            "\\if :{?a}\n",
            "\\set a 'b\\'c' `d",
            "\\copy t from 'x\\y'\n",
            "\\! ls\n",
            ":a",
            ":'a'",
            ":\"a\"",
            ":{?a}",
            "copy t from stdin;\n",
            "\n\\.\n",
            "\\.\r\n",
            "\r\n",
            "set standard_conforming_strings = off;",
            "set standard_conforming_strings to on;");

    private final List<String> texts = texts();

    private static List<String> texts() {
        List<String> texts = new ArrayList<>();
        texts.add(String.join(";\n", Samples.statements()));
        texts.addAll(Corpus.wholeScripts());
        return texts;
    }

    @Test
    void damaged_texts_are_read_to_their_end() throws InterruptedException, ExecutionException {
        Long only = Long.getLong("seed");
        SplittableRandom seeds = new SplittableRandom();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long cases = 0;
        Watched watched = new Watched();
        try {
            do {
                watched.run(only == null ? seeds.nextLong() : only);
                cases++;
            } while (only == null && System.nanoTime() < end);
        } finally {
            watched.stop();
        }
        System.out.println("ScannerFuzzTest: " + cases + " texts");
        assertThat(cases).isPositive();
    }

    private void readAll(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String text = damaged(random);
        try {
            FastPathTest.check(text);
            for (boolean standard : new boolean[] {true, false}) {
                ParserOptions options = new ParserOptions(standard);
                SplittingPropertyTest.noByteIsLost(text, options);
                // A test whether a variable is set is replaced also where none is.
                new PsqlScriptAccount(text.replace('?', '!'), standard, random).check();
                readWithVariables(text, options);
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("run again with -Dseed=" + seed + ": " + e + " in <" + text + ">", e);
        }
    }

    /** Values may be read as anything, so here nothing is counted but the pieces. */
    private static void readWithVariables(String text, ParserOptions options) {
        PsqlScript script = new PsqlScript(
                new StringReader(text), options, name -> name.length() > 1 ? null : ":" + name + "; '\\g\n");
        int pieces = 0;
        while (script.next() != null) {
            assertThat(++pieces).isLessThanOrEqualTo(8 * (text.length() + 1));
        }
    }

    private String damaged(SplittableRandom random) {
        StringBuilder text = new StringBuilder(part(random));
        for (int left = random.nextInt(8); left >= 0; left--) {
            int from = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), from + random.nextInt(40));
            switch (random.nextInt(8)) {
                case 0 -> text.delete(from, to);
                case 1 -> text.insert(from, text.substring(from, to));
                case 2 -> text.insert(random.nextInt(text.length() + 1), text.substring(from, to));
                case 3 -> text.replace(from, to, Seeded.pick(random, Samples.FRAGMENTS));
                case 4 -> text.insert(from, Seeded.pick(random, OF_PSQL));
                case 5 -> text.insert(from, (char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
                case 6 -> text.insert(from, part(random));
                default -> text.insert(from, Seeded.pick(random, Samples.FRAGMENTS));
            }
            text.setLength(Math.min(text.length(), LONGEST));
        }
        return text.toString();
    }

    private String part(SplittableRandom random) {
        String text = Seeded.pick(random, texts);
        int from = random.nextInt(text.length() + 1);
        int longest = random.nextInt(4) == 0 ? LONGEST : 300;
        return text.substring(from, Math.min(text.length(), from + random.nextInt(longest)));
    }

    /** Runs each text in a thread of its own, so that one which is never read to its end is told. One thread at a time. */
    private final class Watched {
        private final ExecutorService reader = Executors.newSingleThreadExecutor(run -> {
            Thread thread = new Thread(run, "scanner");
            thread.setDaemon(true);
            return thread;
        });

        void run(long seed) throws InterruptedException, ExecutionException {
            try {
                CompletableFuture.runAsync(() -> readAll(seed), reader).get(HANGS_AFTER_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                throw new AssertionError("no end, run again with -Dseed=" + seed, e);
            }
        }

        void stop() {
            reader.shutdownNow();
        }
    }
}
