package io.ddlrep.benchmarks;

import io.ddlrep.testkit.server.PgBinaries;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: starts three servers, runs the benchmarks one after another, and prints one table. Used by one thread. */
@Command(
        name = "benchmarks",
        description =
                "Measures ddlrep next to its peers on three PostgreSQL servers with fsync on, and prints one table.",
        mixinStandardHelpOptions = true)
public final class Benchmarks implements Callable<Integer> {
    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Only these: ddl-latency, lock-queue, capture, synchronize, lag, pass-through, classification, gateway.")
    private List<String> only = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of every benchmark (each has its own number).")
    private int rounds;

    @Option(names = "--scale", paramLabel = "F", description = "Amount of work; 1.0 is full, 0.01 a smoke run (1.0).")
    private double scale = 1.0;

    @Option(names = "--pg", paramLabel = "MAJOR", description = "PostgreSQL major, 14 to 18 (the build's default).")
    private int major;

    @Option(names = "--profile", description = "Also print where the time of one DDL goes, message by message.")
    private boolean profile;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final PrintStream out;

    /** The program, printing to standard output. */
    public Benchmarks() {
        this(System.out);
    }

    /** The program, printing elsewhere. */
    Benchmarks(PrintStream out) {
        this.out = out;
    }

    /** Runs and exits: 0 when everything was measured, whether goals were met or missed; 1 when something failed. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Benchmarks()).execute(args));
    }

    static List<Benchmark> all(boolean profile) {
        return List.of(
                new DdlLatency(profile),
                new LockQueue(),
                new Capture(),
                new Synchronize(),
                new Lag(),
                new PassThrough(),
                new Classification(),
                new GatewayRelay(),
                new GatewayCopy());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Benchmark> chosen = chosen();
        Report report = new Report(out);
        report.say(Machine.now().toString());
        int wanted = major == 0 ? PgBinaries.defaultMajor() : major;
        try (Lab lab = Lab.start(wanted, new Size(scale, rounds))) {
            Samples flushes = Machine.flushes(lab.disk(), lab.size().count(200, 20));
            report.say("PostgreSQL " + wanted + ", 3 servers, fsync on; one flush of 8 kB: "
                    + Samples.number(flushes.median()) + " ms (" + flushes.spread() + ")");
            for (Benchmark benchmark : chosen) {
                run(benchmark, lab, report);
            }
        }
        report.say("");
        report.print();
        return report.failures().isEmpty() ? 0 : 1;
    }

    private List<Benchmark> chosen() {
        List<Benchmark> all = all(profile);
        List<String> names = all.stream().map(Benchmark::name).toList();
        if (!names.containsAll(only)) {
            throw new ParameterException(spec.commandLine(), "--only knows " + names + ", not " + only);
        }
        return only.isEmpty()
                ? all
                : all.stream().filter(each -> only.contains(each.name())).toList();
    }

    private static void run(Benchmark benchmark, Lab lab, Report report) throws InterruptedException {
        report.say("running " + benchmark.name() + " …");
        try {
            benchmark.run(lab, report);
        } catch (SQLException | IOException | RuntimeException e) {
            report.failed(benchmark.name(), e);
            report.say("FAILED " + benchmark.name() + ": " + e);
        }
    }
}
