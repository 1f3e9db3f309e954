package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.Substrate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads how a group is, from its origin and from every node that can be reached. Used by one thread. */
public final class GroupStatusReader {
    private final Function<NodeAddress, NodeSession> opener;
    private final Substrate substrate;

    /**
     * Makes a reader.
     *
     * @param opener opens a session that the reader closes
     * @param substrate tells whether replicas are behind; stays the caller's
     */
    public GroupStatusReader(Function<NodeAddress, NodeSession> opener, Substrate substrate) {
        this.opener = opener;
        this.substrate = substrate;
    }

    /**
     * Reads the status.
     *
     * @param origin a session on the origin
     * @param operations how many operations to tell of
     * @throws NodeException when the origin fails; a replica that fails is told of in the result
     */
    public GroupStatus read(NodeSession origin, int operations) {
        Group group = GroupReader.read(origin)
                .orElseThrow(() -> Refused.notReady(
                        origin.node(), "this database is in no group", List.of(), "ddlrep init makes one."));
        List<GroupStatus.Node> nodes = new ArrayList<>();
        Map<String, Map<String, String>> positions = new HashMap<>();
        for (NodeAddress address : new TreeMap<>(group.nodes()).values()) {
            nodes.add(node(address, positions));
        }
        List<GroupStatus.PublicationStatus> publications = new ArrayList<>();
        for (Group.Publication publication : group.publications()) {
            publications.add(publication(origin, group, publication, positions));
        }
        return new GroupStatus(group.groupId(), nodes, publications, operations(origin, operations));
    }

    private GroupStatus.Node node(NodeAddress address, Map<String, Map<String, String>> positions) {
        String where = address.host() + ":" + address.port() + "/" + address.database();
        try (NodeSession session = opener.apply(address)) {
            Row row = session.query(SqlResource.text("sql/status_node.sql")).get(0);
            Map<String, String> applied = new HashMap<>();
            session.query("SELECT publication, applied_at FROM ddlrep.subscription")
                    .forEach(each -> applied.put(each.text("publication"), each.text("applied_at")));
            positions.put(address.name(), applied);
            String problem = "";
            if (!"t".equals(row.get("same_identity"))) {
                problem = "is another database than the one that was installed";
            } else if (!row.flag("guarded")) {
                problem = "its guard is off";
            } else if (row.number("max_prepared") == 0) {
                problem = "max_prepared_transactions is 0";
            }
            return new GroupStatus.Node(
                    address.name(),
                    where,
                    problem,
                    row.text("server_version"),
                    (int) row.number("schema_version"),
                    (int) row.number("prepared"),
                    problem.startsWith("is another"));
        } catch (NodeException e) {
            return new GroupStatus.Node(
                    address.name(), where, "not reached: " + e.error().message(), "", 0, 0, true);
        }
    }

    private GroupStatus.PublicationStatus publication(
            NodeSession origin,
            Group group,
            Group.Publication publication,
            Map<String, Map<String, String>> positions) {
        int tables = (int) origin.query(
                        "SELECT pg_catalog.count(*) AS tables FROM ddlrep.replicated_table t WHERE t.publication = $1",
                        publication.name())
                .get(0)
                .number("tables");
        List<GroupStatus.Replica> replicas = new ArrayList<>();
        for (Group.ReplicaState replica : publication.replicas()) {
            Map<String, String> applied = positions.getOrDefault(replica.node(), Map.of());
            boolean ask = applied.containsKey(publication.name())
                    && publication.origin().equals(group.self());
            replicas.add(new GroupStatus.Replica(
                    replica.node(),
                    replica.state().name().toLowerCase(Locale.ROOT),
                    replica.reason(),
                    applied.getOrDefault(publication.name(), ""),
                    ask ? behind(publication.name(), replica.node()) : Optional.empty()));
        }
        return new GroupStatus.PublicationStatus(
                publication.name(),
                publication.origin(),
                publication.scope().name().toLowerCase(Locale.ROOT),
                publication.schemas(),
                tables,
                replicas);
    }

    private Optional<Boolean> behind(String publication, String node) {
        try {
            return Optional.of(substrate.isBehind(publication, substrate.standing(publication, node)));
        } catch (RuntimeException e) {
            // A replica that fails is told of by its node's line.
            return Optional.empty();
        }
    }

    /**
     * Reads the last operations, and those before them that are not finished; newest first.
     *
     * @param origin a session on the origin
     * @param count how many of the last ones
     * @throws NodeException when the origin fails
     */
    public static List<GroupStatus.OperationStatus> operations(NodeSession origin, int count) {
        return origin.query(SqlResource.text("sql/status_operations.sql"), count).stream()
                .map(row -> new GroupStatus.OperationStatus(
                        row.text("op"),
                        row.text("publications"),
                        row.text("state"),
                        row.text("actor"),
                        row.text("started"),
                        or(row, "finished"),
                        or(row, "statements"),
                        or(row, "result")))
                .toList();
    }

    private static String or(Row row, String column) {
        String value = row.get(column);
        return value == null ? "" : value;
    }
}
