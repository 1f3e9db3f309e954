package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.fingerprint.Fingerprint;
import io.ddlrep.engine.fingerprint.FingerprintDiff;
import io.ddlrep.engine.fingerprint.Fingerprints;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.LostHistoryException;
import io.ddlrep.engine.substrate.OperationPendingException;
import io.ddlrep.engine.substrate.Substrate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * What {@code ddlrep recover} does: resolves every operation without a result, then looks at the dirty replicas again and
 * clears those that are healthy, caught up and equal. Used by one thread; several may run in different processes.
 *
 * <p>Crash before, during or after: run it again.
 */
public final class GroupRecovery {
    private static final String FINISHED = " on every node";

    private final TriggerEngine engine;

    /** Makes a recovery for the group of an engine. */
    public GroupRecovery(TriggerEngine engine) {
        this.engine = engine;
    }

    /**
     * What was done.
     *
     * @param lines one line for each operation and replica, for a person
     * @param clean whether nothing is left to do
     */
    public record Report(List<String> lines, boolean clean) {}

    /**
     * Recovers the publications whose origin is the node that the engine was opened for. What is left is tried once more:
     * the first try may have met sessions that were lost with their server.
     */
    public Report run() {
        Report first = pass();
        if (first.clean()) {
            return first;
        }
        Report second = pass();
        List<String> lines = new ArrayList<>(
                first.lines().stream().filter(l -> l.endsWith(FINISHED)).toList());
        lines.addAll(second.lines());
        return new Report(List.copyOf(lines), second.clean());
    }

    private Report pass() {
        String origin = engine.group().self();
        NodeSession service = engine.services().borrow(origin);
        try {
            List<String> lines = new ArrayList<>();
            boolean clean = true;
            for (Group.Publication publication : engine.group().publications()) {
                if (publication.origin().equals(origin)) {
                    takeTurn(service, publication.name());
                    clean &= resolve(service, publication.name(), lines);
                    clean &= clear(service, publication.name(), lines);
                    service.execute("SELECT pg_catalog.pg_advisory_unlock_all()");
                }
            }
            return new Report(List.copyOf(lines), clean);
        } finally {
            OperationOpener.release(engine.services(), service);
        }
    }

    private static void takeTurn(NodeSession service, String publication) {
        while (!PublicationTurn.tryTake(service, publication)) {
            LockSupport.parkNanos(20_000_000L);
        }
    }

    private boolean resolve(NodeSession service, String publication, List<String> lines) {
        Recovery recovery = new Recovery(
                engine.services(), engine.group().groupId(), engine.group().self());
        boolean clean = true;
        List<Recovery.Report> reports = new ArrayList<>(recovery.run(service, List.of(publication)));
        reports.addAll(recovery.latecomers(service, replicas(publication), List.of(publication)));
        for (Recovery.Report report : reports) {
            lines.add("operation " + report.op() + ": " + (report.committed() ? "committed" : "rolled back")
                    + (report.finished() ? FINISHED : "; waiting: " + String.join("; ", report.waiting())));
            clean &= report.finished();
        }
        return clean;
    }

    private List<String> replicas(String name) {
        return engine.group().publications().stream()
                .filter(p -> p.name().equals(name))
                .flatMap(p -> p.replicas().stream())
                .map(Group.ReplicaState::node)
                .toList();
    }

    private boolean clear(NodeSession service, String name, List<String> lines) {
        Group group = GroupReader.read(service).orElseThrow();
        boolean clean = true;
        for (Group.Publication publication : group.publications()) {
            for (Group.ReplicaState replica : publication.replicas()) {
                if (publication.name().equals(name) && replica.state() == Group.State.DIRTY) {
                    clean &= clear(service, publication, replica, lines);
                }
            }
        }
        return clean;
    }

    private boolean clear(
            NodeSession service, Group.Publication publication, Group.ReplicaState replica, List<String> lines) {
        String what = "node " + replica.node() + " of publication " + publication.name();
        try {
            List<String> differences = differences(service, publication.name(), replica.node());
            if (!differences.isEmpty()) {
                lines.add(what + " stays dirty, it differs: " + String.join("; ", differences));
                return false;
            }
            Substrate substrate = engine.services().substrate();
            substrate.synchronize(publication.name(), replica.node(), substrate.mark());
            service.update(
                    "UPDATE ddlrep.publication_node SET state = 'active', reason = NULL, since = pg_catalog.clock_timestamp()"
                            + " WHERE publication = $1 AND node = $2 AND state = 'dirty'",
                    publication.name(),
                    replica.node());
            lines.add(what + " is equal again and active (it was dirty: " + replica.reason() + ")");
            return true;
        } catch (NodeException | LostHistoryException | OperationPendingException e) {
            lines.add(what + " stays dirty: " + e.getMessage());
            return false;
        }
    }

    private List<String> differences(NodeSession service, String publication, String node) {
        NodeSession replica = engine.services().borrow(node);
        try {
            String tables =
                    "SELECT pg_catalog.quote_ident(schema_name) || '.' || pg_catalog.quote_ident(table_name) AS name"
                            + " FROM ddlrep.replicated_table WHERE publication = $1 ORDER BY 1";
            List<String> names = service.query(tables, publication).stream()
                    .map(r -> r.text("name"))
                    .toList();
            List<Fingerprint> here = Fingerprints.read(service, names);
            List<Fingerprint> there = Fingerprints.read(replica, names);
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                lines.addAll(FingerprintDiff.of(Map.of(engine.group().self(), here.get(i), node, there.get(i)))
                        .lines());
            }
            return lines;
        } finally {
            engine.services().giveBack(replica);
        }
    }
}
