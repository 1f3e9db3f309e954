package io.ddlrep.gateway.cli;

import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.ReplicaStatus;
import io.ddlrep.engine.replication.Replicator;
import io.ddlrep.engine.replication.TriggerSubstrate;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ddlrep replicate}. */
@Command(
        name = "replicate",
        description =
                "Takes changes of the origin to the replicas until it is stopped. Several may run; one works, the others stand by.")
final class ReplicateCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    ReplicateCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread hook = new Thread(() -> stopAndWait(stop, stopped), "ddlrep-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (GroupConnection connection = group.connect();
                TriggerSubstrate substrate = connection.substrate()) {
            NodeAccess access = connection.access();
            String origin = connection.group().self();
            try (Replicator replicator = new Replicator(
                    substrate, access, origin, Replicator.controlSchema(access, origin), Replicator.Pace.standard())) {
                replicator.start();
                group.common().tell("replicating from " + origin + "; stop with Ctrl-C");
                Map<String, String> told = new HashMap<>();
                while (!stop.await(1, TimeUnit.SECONDS)) {
                    replicator.status().forEach(status -> tell(told, status));
                }
            }
            return 0;
        } finally {
            stopped.countDown();
        }
    }

    private static void stopAndWait(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            if (!stopped.await(10, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A state is told when it changes; working and current are one. */
    private void tell(Map<String, String> told, ReplicaStatus status) {
        String what = switch (status.state()) {
            case CURRENT, WORKING -> "running";
            case OPERATION_PENDING -> "waiting for an operation to be finished there: ddlrep recover";
            case RETRYING -> "failed, trying again: " + status.lastError();
            case PAUSED -> "paused";
            case DIRTY -> "dirty, stopped: " + status.lastError();
            case CLOSED -> "stopped";
        };
        String who = "publication " + status.publication() + ", replica " + status.replica();
        if (!what.equals(told.put(who, what))) {
            group.common().tell(who + ": " + what);
        }
    }
}
