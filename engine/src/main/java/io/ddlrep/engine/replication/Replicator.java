package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps all replicas of one origin current: a watch notices changes and takes points, a worker per publication and replica
 * brings them there, a supervisor follows the group and purges. Thread-safe.
 *
 * <p>Several may run in a group: the one that holds the leader lock works, the others stand by.
 *
 * <p>Crash rule: it has no state of its own. Another one, or this one when it is started again, goes on from the positions
 * on the replicas.
 */
public final class Replicator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replicator.class);

    /** Advisory lock of the leader: "ddlr" and 2. */
    private static final String LEAD = "SELECT pg_try_advisory_lock(1684827250, 2) AS lead";

    private static final String STATES = "SELECT n.publication, n.node, n.state FROM ddlrep.publication_node n"
            + " JOIN ddlrep.publication p ON p.name = n.publication WHERE p.origin = $1 AND n.node <> $1";

    private final TriggerSubstrate substrate;
    private final NodeAccess access;
    private final String origin;
    private final DirtyMarker dirty;
    private final Pace pace;
    private final Map<String, ReplicaWorker> workers = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;
    private volatile @Nullable Point latest;

    /**
     * How often the origin is asked.
     *
     * @param busy between two looks while there is work
     * @param idle between two looks when there was none for a while
     * @param supervise between two looks at the group's state, and between two purges
     */
    public record Pace(Duration busy, Duration idle, Duration supervise) {
        /** 2 ms, 10 ms and one second. */
        public static Pace standard() {
            return new Pace(Duration.ofMillis(2), Duration.ofMillis(10), Duration.ofSeconds(1));
        }
    }

    /**
     * Makes a replicator; {@link #start} starts it.
     *
     * @param substrate brings the changes; stays the caller's
     * @param access opens the replicator's own sessions
     * @param origin the origin's name
     * @param dirty is told of replicas that cannot go on
     */
    public Replicator(TriggerSubstrate substrate, NodeAccess access, String origin, DirtyMarker dirty, Pace pace) {
        this.substrate = substrate;
        this.access = access;
        this.origin = origin;
        this.dirty = dirty;
        this.pace = pace;
    }

    /** A marker that writes {@code publication_node} on the origin. */
    public static DirtyMarker controlSchema(NodeAccess access, String origin) {
        return (publication, replica, reason) -> {
            try (NodeSession session = access.service(origin)) {
                session.update(
                        "UPDATE ddlrep.publication_node SET state = 'dirty', reason = $3, since = clock_timestamp()"
                                + " WHERE publication = $1 AND node = $2 AND state <> 'dirty'",
                        publication,
                        replica,
                        reason);
            }
        };
    }

    /** Starts the threads; returns at once. */
    public synchronized void start() {
        if (!threads.isEmpty() || closed) {
            throw new IllegalStateException("a replicator starts once");
        }
        thread("ddlrep supervisor", this::supervise);
        thread("ddlrep watch", this::watch);
    }

    private synchronized void thread(String name, Runnable work) {
        if (closed) {
            return;
        }
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** How the replicas are doing; empty on a replicator that stands by. */
    public List<ReplicaStatus> status() {
        return workers.values().stream().map(ReplicaWorker::status).toList();
    }

    /** Follows the group's state and purges, as long as this is the leader. */
    private void supervise() {
        while (!closed) {
            try (NodeSession session = access.service(origin)) {
                while (!closed && !session.query(LEAD).get(0).flag("lead")) {
                    pause(pace.supervise());
                }
                try (Purger purger = new Purger(access, session, origin)) {
                    while (!closed) {
                        follow(session);
                        purger.run();
                        pause(pace.supervise());
                    }
                }
            } catch (RuntimeException e) {
                if (!closed) {
                    LOG.warn("ddlrep: the replicator's supervisor goes on after: {}", e.toString());
                    pause(pace.supervise());
                }
            }
        }
    }

    private void follow(NodeSession session) {
        Set<String> wanted = new HashSet<>();
        for (Row row : session.query(STATES, origin)) {
            String key = row.text("publication") + " " + row.text("node");
            wanted.add(key);
            ReplicaWorker worker = workers.get(key);
            if (worker == null) {
                worker = new ReplicaWorker(substrate, row.text("publication"), row.text("node"), dirty);
                workers.put(key, worker);
                ReplicaWorker started = worker;
                thread("ddlrep " + key, () -> started.run(() -> latest));
            }
            worker.stateIs(row.text("state"));
        }
        workers.forEach((key, worker) -> {
            if (!wanted.contains(key)) {
                worker.close();
                workers.remove(key);
            }
        });
    }

    /** Takes a point whenever there is something new, and wakes the workers. */
    private void watch() {
        while (!closed) {
            try (NodeSession session = access.service(origin)) {
                ChangeWatch watch = new ChangeWatch(session);
                int quiet = 0;
                publish(substrate.mark());
                while (!closed) {
                    Point last = latest;
                    if (workers.isEmpty() || last == null) {
                        pause(pace.idle());
                    } else if (watch.changedSince(last.snapshot())) {
                        quiet = 0;
                        publish(substrate.mark());
                    } else {
                        quiet++;
                    }
                    pause(quiet > 500 ? pace.idle() : pace.busy());
                }
            } catch (RuntimeException e) {
                if (!closed) {
                    LOG.warn("ddlrep: the watch over changes goes on after: {}", e.toString());
                    pause(pace.supervise());
                }
            }
        }
    }

    private void publish(Point point) {
        latest = point;
        workers.values().forEach(ReplicaWorker::wake);
    }

    private void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            closed = true;
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the threads and waits for them; what a worker had begun is rolled back or committed as a whole. */
    @Override
    public void close() {
        closed = true;
        workers.values().forEach(ReplicaWorker::close);
        List<Thread> running;
        synchronized (this) {
            running = List.copyOf(threads);
        }
        running.forEach(Thread::interrupt);
        for (Thread thread : running) {
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
