package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.substrate.Substrate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ddlrep replicate}. */
@Command(
        name = "replicate",
        description =
                "Takes changes of the origin to the replicas until it is stopped. Several may run; one works at a time.")
final class ReplicateCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    ReplicateCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        Thread hook = new Thread(stop::countDown, "ddlrep-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (GroupConnection connection = group.connect();
                Substrate substrate = connection.substrate()) {
            List<Thread> threads = new ArrayList<>();
            for (Group.Publication publication : connection.group().publications()) {
                if (publication.origin().equals(connection.group().self())) {
                    for (Group.ReplicaState replica : publication.replicas()) {
                        ReplicationLoop loop = new ReplicationLoop(
                                connection, substrate, publication.name(), replica.node(), group.common()::tell);
                        Thread thread =
                                new Thread(() -> loop.run(stop), "ddlrep-" + publication.name() + "-" + replica.node());
                        thread.setDaemon(true);
                        thread.start();
                        threads.add(thread);
                    }
                }
            }
            if (threads.isEmpty()) {
                group.common()
                        .tell("nothing to do: the group has no publication of "
                                + connection.group().self());
                return 1;
            }
            stop.await();
            for (Thread thread : threads) {
                thread.join(5000);
            }
            return 0;
        }
    }
}
