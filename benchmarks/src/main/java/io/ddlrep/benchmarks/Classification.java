package io.ddlrep.benchmarks;

import java.io.IOException;
import java.util.Collection;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link ParserBenchmark}: nanoseconds and bytes of one look. */
final class Classification implements Benchmark {
    private static final double BUDGET = 100;

    @Override
    public String name() {
        return "classification";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        boolean full = lab.size().scale() >= 0.1;
        TimeValue time = full ? TimeValue.seconds(1) : TimeValue.milliseconds(20);
        int iterations = full ? lab.size().rounds(5) : 1;
        Options options = new OptionsBuilder()
                .include(ParserBenchmark.class.getName().replace(".", "\\.") + "\\.")
                .forks(full ? 1 : 0)
                .warmupIterations(iterations)
                .warmupTime(time)
                .measurementIterations(iterations)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .build();
        for (RunResult result : results(options)) {
            Result<?> score = result.getPrimaryResult();
            boolean look = score.getLabel().startsWith("look");
            report.add(new Figure(
                    name(),
                    score.getLabel() + ", ns",
                    score.getScore(),
                    Figure.ALONE,
                    look ? Goal.oursAtMost(BUDGET) : Goal.NONE,
                    allocated(result)));
        }
    }

    private static Collection<RunResult> results(Options options) throws IOException {
        try {
            return new Runner(options).run();
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
