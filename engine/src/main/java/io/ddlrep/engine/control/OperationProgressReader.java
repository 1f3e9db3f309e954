package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what the nodes do for operations that have no result yet. Stateless but for what it was made with. */
public final class OperationProgressReader {
    private static final String BACKENDS = SqlResource.text("sql/open_backends.sql");
    private static final String NODE = SqlResource.text("sql/progress_node.sql");

    private final Function<NodeAddress, NodeSession> opener;

    /**
     * Makes a reader.
     *
     * @param opener opens a session that the reader closes
     */
    public OperationProgressReader(Function<NodeAddress, NodeSession> opener) {
        this.opener = opener;
    }

    /**
     * Reads it.
     *
     * @param origin a session on the origin
     * @param group as it is there
     * @return by the operation's id, a line for each node
     * @throws NodeException when the origin fails; a replica that fails is told of in the result
     */
    public Map<String, List<OperationProgress>> read(NodeSession origin, Group group) {
        Map<String, List<Row>> backends = new LinkedHashMap<>();
        Map<String, List<OperationProgress>> progress = new LinkedHashMap<>();
        for (Row row : origin.query(BACKENDS, group.self())) {
            backends.computeIfAbsent(row.text("node"), node -> new ArrayList<>())
                    .add(row);
            progress.put(row.text("op"), new ArrayList<>());
        }
        backends.forEach((node, rows) -> node(group.nodes().get(node), node, rows, progress));
        progress.values().forEach(lines -> lines.sort((a, b) -> a.node().compareTo(b.node())));
        return progress;
    }

    private void node(
            @Nullable NodeAddress address,
            String node,
            List<Row> backends,
            Map<String, List<OperationProgress>> progress) {
        String problem = "is not in the group any more";
        if (address != null) {
            try (NodeSession session = opener.apply(address)) {
                for (Row backend : backends) {
                    lines(progress, backend).add(line(session, node, backend));
                }
                return;
            } catch (NodeException e) {
                problem = "not reached: " + e.error().message();
            }
        }
        for (Row backend : backends) {
            lines(progress, backend).add(OperationProgress.of(node, backend.number("pid"), problem));
        }
    }

    private static List<OperationProgress> lines(Map<String, List<OperationProgress>> progress, Row backend) {
        return Objects.requireNonNull(progress.get(backend.text("op")));
    }

    private static OperationProgress line(NodeSession session, String node, Row backend) {
        long pid = backend.number("pid");
        List<Row> found = session.query(NODE, pid, backend.text("backend_start"));
        if (found.isEmpty()) {
            return OperationProgress.of(node, pid, "gone");
        }
        Row row = found.get(0);
        String state = row.get("state");
        return new OperationProgress(
                node,
                pid,
                state == null ? "" : state,
                row.text("waits"),
                row.text("blockers"),
                row.text("command"),
                row.text("phase"),
                row.text("unit"),
                row.number("done"),
                row.number("total"));
    }
}
