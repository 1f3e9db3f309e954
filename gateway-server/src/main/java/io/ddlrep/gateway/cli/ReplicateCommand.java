package io.ddlrep.gateway.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ddlrep replicate}. */
@Command(
        name = "replicate",
        description =
                "Takes changes of the origin to the replicas until it is stopped. Several may run; one works, the others stand by.")
final class ReplicateCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofSeconds(1);

    @Mixin
    private GroupOptions group = new GroupOptions();

    ReplicateCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        try (StopSignal stop = StopSignal.install();
                GroupConnection connection = group.connect();
                RunningReplicator replicator = RunningReplicator.start(connection)) {
            group.common().tell("replicating from " + connection.group().self() + "; stop with Ctrl-C");
            while (!stop.await(LOOK)) {
                replicator.tellChanges(group.common()::tell);
            }
            return 0;
        }
    }
}
