package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a server whose JVM died without saying goodbye ({@code kill -9}, a crash). A shell waits on a pipe from the JVM;
 * only the JVM holds the other end, so the kernel closes it at the JVM's death, however it dies, and the shell kills the
 * server and deletes its folder at once. Owned by one {@link PgServer}; not thread-safe.
 */
final class Watchdog implements AutoCloseable {

    // SIGQUIT is PostgreSQL's immediate shutdown: the postmaster takes all its children with it.
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            read -r goodbye
            [ "$goodbye" = stopped ] && exit 0
            kill -QUIT "$1"
            tries=0
            while kill -0 "$1" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
            kill -KILL "$1" 2>/dev/null
            rm -rf "$2"
            """;

    private final Process process;

    private Watchdog(Process process) {
        this.process = process;
    }

    /** Watches over the postmaster with that pid, whose folder goes with it. */
    static Watchdog over(long postmasterPid, Path instance) {
        List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", SCRIPT, "ddlrep-watchdog"));
        command.add(Long.toString(postmasterPid));
        command.add(instance.toString());
        try {
            return new Watchdog(new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new TestkitException("cannot start the watchdog of a server", e);
        }
    }

    /** Dismisses the watchdog: the server was stopped, and its folder is kept. */
    @Override
    public void close() {
        process.destroyForcibly();
        ProcessTree.awaitExit(process.toHandle());
    }
}
