package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the group from a node's control schema. Stateless. */
public final class GroupReader {
    private GroupReader() {}

    /** The group, or empty where the database has no control schema. Three short queries at most. */
    public static Optional<Group> read(NodeSession session) {
        if (session.query("SELECT pg_catalog.to_regclass('ddlrep.self') AS self")
                        .get(0)
                        .get("self")
                == null) {
            return Optional.empty();
        }
        List<Row> self = session.query("SELECT group_id, node FROM ddlrep.self");
        if (self.isEmpty()) {
            return Optional.empty();
        }
        Map<String, NodeAddress> nodes = new LinkedHashMap<>();
        for (Row row : session.query("SELECT name, host, port, database FROM ddlrep.node ORDER BY name")) {
            String name = row.text("name");
            nodes.put(name, new NodeAddress(name, row.text("host"), (int) row.number("port"), row.text("database")));
        }
        return Optional.of(new Group(
                self.get(0).text("group_id"), self.get(0).text("node"), Map.copyOf(nodes), publications(session)));
    }

    private static List<Group.Publication> publications(NodeSession session) {
        Map<String, Group.Publication> found = new LinkedHashMap<>();
        for (Row row : session.query(
                "SELECT p.name, p.origin, p.scope, pg_catalog.array_to_string(p.schemas, pg_catalog.chr(1)) AS schemas,"
                        + " n.node, n.state, coalesce(n.reason, '') AS reason"
                        + " FROM ddlrep.publication p LEFT JOIN ddlrep.publication_node n ON n.publication = p.name"
                        + " ORDER BY p.name, n.node")) {
            Group.Publication publication = found.computeIfAbsent(
                    row.text("name"),
                    name -> new Group.Publication(
                            name,
                            row.text("origin"),
                            Group.Scope.valueOf(row.text("scope").toUpperCase(Locale.ROOT)),
                            row.text("schemas").isEmpty()
                                    ? List.of()
                                    : List.of(row.text("schemas").split("\u0001", -1)),
                            new ArrayList<>()));
            if (row.get("node") != null) {
                publication
                        .replicas()
                        .add(new Group.ReplicaState(
                                row.text("node"),
                                Group.State.valueOf(row.text("state").toUpperCase(Locale.ROOT)),
                                row.text("reason")));
            }
        }
        return List.copyOf(found.values());
    }
}
