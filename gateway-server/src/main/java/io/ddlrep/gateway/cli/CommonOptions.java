package io.ddlrep.gateway.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that every command has. Filled by picocli, then read by one thread. */
final class CommonOptions {
    private static final Logger LOG = LoggerFactory.getLogger("ddlrep");

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    private boolean isLogged;

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

    /** What is told from now on goes to the log. */
    void log() {
        isLogged = true;
    }

    /** Tells something that is no result: to standard error, so that results can be piped. */
    void tell(String line) {
        if (isLogged) {
            LOG.info(line);
            return;
        }
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
