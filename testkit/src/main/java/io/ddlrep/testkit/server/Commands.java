package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs short external commands to their end. Stateless and thread-safe. */
final class Commands {

    /** What a command left: its exit code and everything it printed. */
    record Result(int exitCode, String output) {

        boolean succeeded() {
            return exitCode == 0;
        }
    }

    private Commands() {}

    /** Runs the command with an empty standard input and waits for it; does not throw for a bad exit code. */
    static Result run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output;
            try (InputStream stream = process.getInputStream()) {
                output = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            return new Result(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while running " + command, e);
        }
    }

    /** As {@link #run}, but a bad exit code is an exception that shows the output. */
    static void runOrFail(List<String> command) {
        Result result = run(command);
        if (!result.succeeded()) {
            throw new TestkitException(
                    "exit code " + result.exitCode() + " from " + String.join(" ", command) + "\n" + result.output());
        }
    }
}
