package io.ddlrep.gateway.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that every command has. Filled by picocli, then read by one thread. */
final class CommonOptions {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    CommonOptions() {}

    boolean debug() {
        return debug;
    }

    boolean help() {
        return help;
    }

    PrintWriter out() {
        return required().commandLine().getOut();
    }

    PrintWriter err() {
        return required().commandLine().getErr();
    }

    /** Tells something that is no result: to standard error, so that results can be piped. */
    void tell(String line) {
        PrintWriter err = err();
        err.println("ddlrep: " + line);
        err.flush();
    }

    private CommandSpec required() {
        if (spec == null) {
            throw new IllegalStateException("picocli has not filled the options");
        }
        return spec;
    }
}
