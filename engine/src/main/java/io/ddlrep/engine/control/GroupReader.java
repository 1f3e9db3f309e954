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
    /** The question that {@link #of} reads the answer of; sent in one message with others. */
    public static final String SQL = SqlResource.text("sql/group.sql");

    private GroupReader() {}

    /** The group, or empty where the database has no control schema. One query where there is one. */
    public static Optional<Group> read(NodeSession session) {
        if (session.query("SELECT pg_catalog.to_regclass('ddlrep.self') AS self")
                        .get(0)
                        .get("self")
                == null) {
            return Optional.empty();
        }
        return readInstalled(session);
    }

    /**
     * The group, where the control schema is known to be there.
     *
     * @throws io.ddlrep.engine.node.NodeException 42P01 where it is not
     */
    public static Optional<Group> readInstalled(NodeSession session) {
        return of(session.query(SQL));
    }

    /** The group, from the rows of {@link #SQL}. */
    public static Optional<Group> of(List<Row> rows) {
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        Map<String, NodeAddress> nodes = new LinkedHashMap<>();
        for (Row row : rows) {
            if (row.get("port") != null) {
                String name = row.text("name");
                nodes.put(
                        name, new NodeAddress(name, row.text("host"), (int) row.number("port"), row.text("database")));
            }
        }
        return Optional.of(new Group(
                rows.get(0).text("group_id"), rows.get(0).text("self"), Map.copyOf(nodes), publications(rows)));
    }

    private static List<Group.Publication> publications(List<Row> rows) {
        Map<String, Group.Publication> found = new LinkedHashMap<>();
        for (Row row : rows) {
            if (row.get("port") != null) {
                continue;
            }
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
