package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process and all its descendants. Stateless and thread-safe. */
final class ProcessTree {

    private static final Duration GONE_WITHIN = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);

    private ProcessTree() {}

    /**
     * SIGKILLs the root and every descendant, and returns when all are gone. The root is stopped first: it can neither
     * start another child meanwhile nor act on the death of one.
     */
    static void kill(ProcessHandle root) {
        signal(root, "STOP");
        List<ProcessHandle> tree = new ArrayList<>();
        tree.add(root);
        root.descendants().forEach(tree::add);
        tree.forEach(ProcessHandle::destroyForcibly);
        tree.forEach(ProcessTree::awaitExit);
    }

    static void signal(ProcessHandle process, String signal) {
        Commands.run(List.of("kill", "-" + signal, Long.toString(process.pid())));
    }

    /** Returns when the process is gone, or is a zombie that only waits to be collected by its parent. */
    static void awaitExit(ProcessHandle process) {
        long deadline = System.nanoTime() + GONE_WITHIN.toNanos();
        CompletableFuture<ProcessHandle> exit = process.onExit();
        while (!exit.isDone() && !isZombie(process)) {
            try {
                exit.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TestkitException("interrupted while process " + process.pid() + " ends", e);
            } catch (ExecutionException e) {
                throw new TestkitException("cannot tell whether process " + process.pid() + " has ended", e);
            } catch (TimeoutException e) {
                if (System.nanoTime() > deadline) {
                    throw new TestkitException("process " + process.pid() + " does not end", e);
                }
            }
        }
    }

    static boolean isZombie(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            // "pid (command) state …"; the command may hold anything, so the state is looked for behind its end.
            return stat.startsWith(") Z", stat.lastIndexOf(')'));
        } catch (IOException e) {
            return true;
        }
    }
}
