package io.ddlrep.benchmarks;

import java.io.IOException;
import java.util.Collection;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs {@link ParserBenchmark}, nanoseconds and bytes of one text, and {@link ParserStartUp}, milliseconds of the first. */
final class Classification implements Benchmark {
    private static final Goal LOOK = Goal.oursAtMost(100);
    private static final Goal ANALYSIS = Goal.oursAtMost(200_000);
    private static final Goal START_UP = Goal.oursAtMost(300);

    /** Below it a run only shows that it runs: in this process, once. */
    private static final double FULL = 0.1;

    @Override
    public String name() {
        return "classification";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        boolean full = lab.size().scale() >= FULL;
        warm(full, lab, report);
        first(full, lab, report);
    }

    private void warm(boolean full, Lab lab, Report report) throws IOException {
        TimeValue time = full ? TimeValue.seconds(1) : TimeValue.milliseconds(20);
        int iterations = full ? lab.size().rounds(5) : 1;
        ChainedOptionsBuilder options = of(ParserBenchmark.class)
                .forks(full ? 1 : 0)
                .warmupIterations(iterations)
                .warmupTime(time)
                .measurementIterations(iterations)
                .measurementTime(time)
                .addProfiler(GCProfiler.class);
        for (RunResult result : results(options)) {
            Result<?> score = result.getPrimaryResult();
            Goal goal = score.getLabel().startsWith("look") ? LOOK : ANALYSIS;
            report.add(new Figure(
                    name(), score.getLabel() + ", ns", score.getScore(), Figure.ALONE, goal, allocated(result)));
        }
    }

    private void first(boolean full, Lab lab, Report report) throws IOException {
        int processes = full ? lab.size().rounds(11) : 0;
        ChainedOptionsBuilder options =
                of(ParserStartUp.class).forks(processes).warmupIterations(0).measurementIterations(1);
        for (RunResult result : results(options)) {
            Result<?> score = result.getPrimaryResult();
            Statistics times = score.getStatistics();
            String note = "median of " + times.getN() + " processes (" + Samples.number(times.getMin()) + "-"
                    + Samples.number(times.getMax()) + ")";
            report.add(new Figure(
                    name(), score.getLabel() + ", ms", times.getPercentile(50), Figure.ALONE, START_UP, note));
        }
    }

    private static ChainedOptionsBuilder of(Class<?> benchmark) {
        return new OptionsBuilder()
                .include(benchmark.getName().replace(".", "\\.") + "\\.")
                .verbosity(VerboseMode.SILENT);
    }

    private static Collection<RunResult> results(ChainedOptionsBuilder options) throws IOException {
        try {
            return new Runner(options.build()).run();
        } catch (RunnerException e) {
            throw new IOException("JMH failed", e);
        }
    }

    private static String allocated(RunResult result) {
        // No lambda: its parameter would be of JMH's raw type, which javac warns about.
        for (String key : result.getSecondaryResults().keySet()) {
            if (key.endsWith("gc.alloc.rate.norm")) {
                Result<?> bytes = result.getSecondaryResults().get(key);
                return Samples.number(bytes.getScore()) + " bytes allocated";
            }
        }
        return "";
    }
}
