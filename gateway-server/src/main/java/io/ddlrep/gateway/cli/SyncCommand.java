package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Substrate;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep sync}. */
@Command(
        name = "sync",
        description =
                "Brings the replicas to what is committed on the origin now. Exits with 1 where one could not be.")
final class SyncCommand implements Callable<Integer> {
    private static final long PAUSE = Duration.ofMillis(200).toNanos();

    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(
            names = "--wait",
            description = "Try again while a replica cannot be reached or an operation stands in the way.")
    private boolean wait;

    @Option(names = "--timeout", defaultValue = "60", paramLabel = "SECONDS", description = "For --wait. Default: 60.")
    private int timeout = 60;

    SyncCommand() {}

    @Override
    public Integer call() {
        long end = System.nanoTime() + Duration.ofSeconds(timeout).toNanos();
        try (GroupConnection connection = group.connect();
                Substrate substrate = connection.substrate()) {
            Point point = substrate.mark();
            boolean done = true;
            for (Group.Publication publication : connection.group().publications()) {
                if (!publication.origin().equals(connection.group().self())) {
                    continue;
                }
                for (Group.ReplicaState replica : publication.replicas()) {
                    done &= bring(substrate, publication.name(), replica, point, end);
                }
            }
            return done ? 0 : 1;
        }
    }

    private boolean bring(Substrate substrate, String publication, Group.ReplicaState replica, Point point, long end) {
        String what = "publication " + publication + ", replica " + replica.node() + ": ";
        if (replica.state() != Group.State.ACTIVE) {
            group.common().out().println(what + "left alone, it is " + replica.state() + " (" + replica.reason() + ")");
            return false;
        }
        while (true) {
            try {
                long changes = substrate.synchronize(publication, replica.node(), point);
                group.common().out().println(what + changes + " changes");
                return true;
            } catch (RuntimeException e) {
                if (!wait || System.nanoTime() > end || !(e instanceof NodeException)) {
                    group.common().out().println(what + e.getMessage());
                    return false;
                }
                LockSupport.parkNanos(PAUSE);
            }
        }
    }
}
