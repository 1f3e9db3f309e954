package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.GroupStatus;
import io.ddlrep.engine.control.GroupStatusReader;
import io.ddlrep.engine.substrate.Substrate;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep status}. Exit code 1 where something is wrong. */
@Command(
        name = "status",
        description =
                "Shows nodes, publications, replicas and the last operations. Exits with 1 where something is wrong.")
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--operations",
            defaultValue = "5",
            paramLabel = "N",
            description = "How many operations. Default: 5.")
    private int operations = 5;

    StatusCommand() {}

    @Override
    public Integer call() {
        try (GroupConnection connection = group.connect();
                Substrate substrate = connection.substrate()) {
            GroupStatus status =
                    new GroupStatusReader(connection::open, substrate).read(connection.origin(), operations);
            PrintWriter out = group.common().out();
            if (json) {
                out.println(Json.of(map(status)));
            } else {
                print(out, status);
            }
            return isWell(status) ? 0 : 1;
        }
    }

    private static boolean isWell(GroupStatus status) {
        return status.nodes().stream().noneMatch(GroupStatus.Node::isLost)
                && status.publications().stream()
                        .flatMap(publication -> publication.replicas().stream())
                        .noneMatch(replica -> replica.state().equals("dirty"))
                && status.operations().stream().noneMatch(each -> each.state().equals("unresolved"));
    }

    private static void print(PrintWriter out, GroupStatus status) {
        out.println("group " + status.groupId());
        for (GroupStatus.Node node : status.nodes()) {
            out.println("node " + node.name() + "  " + node.address()
                    + (node.serverVersion().isEmpty() ? "" : "  PostgreSQL " + node.serverVersion())
                    + (node.prepared() == 0 ? "" : "  " + node.prepared() + " prepared")
                    + (node.problem().isEmpty() ? "" : "  (" + node.problem() + ")"));
        }
        for (GroupStatus.PublicationStatus publication : status.publications()) {
            out.println("publication " + publication.name() + "  scope " + publication.scope()
                    + (publication.schemas().isEmpty() ? "" : " " + String.join(", ", publication.schemas())) + "  "
                    + publication.tables() + " tables  origin " + publication.origin());
            for (GroupStatus.Replica replica : publication.replicas()) {
                out.println("  replica " + replica.node() + "  " + replica.state()
                        + (replica.reason().isEmpty() ? "" : " (" + replica.reason() + ")")
                        + lag(replica)
                        + (replica.appliedAt().isEmpty() ? "" : "  last applied " + replica.appliedAt()));
            }
        }
        for (GroupStatus.OperationStatus operation : status.operations()) {
            out.println("operation " + operation.op() + "  " + operation.state() + "  " + operation.started() + "  by "
                    + operation.actor() + (operation.statements().isEmpty() ? "" : "  " + operation.statements()));
        }
    }

    private static String lag(GroupStatus.Replica replica) {
        Optional<Boolean> behind = replica.behind();
        return behind.isEmpty() ? "" : behind.get() ? "  behind" : "  caught up";
    }

    private static Map<String, Object> map(GroupStatus status) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("group", status.groupId());
        map.put("nodes", status.nodes().stream().map(StatusCommand::map).toList());
        map.put(
                "publications",
                status.publications().stream().map(StatusCommand::map).toList());
        map.put(
                "operations",
                status.operations().stream().map(StatusCommand::map).toList());
        return map;
    }

    private static Map<String, Object> map(GroupStatus.Node node) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", node.name());
        map.put("address", node.address());
        map.put("serverVersion", node.serverVersion());
        map.put("schemaVersion", node.schemaVersion());
        map.put("prepared", node.prepared());
        map.put("problem", node.problem());
        return map;
    }

    private static Map<String, Object> map(GroupStatus.PublicationStatus publication) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", publication.name());
        map.put("origin", publication.origin());
        map.put("scope", publication.scope());
        map.put("schemas", publication.schemas());
        map.put("tables", publication.tables());
        map.put(
                "replicas",
                publication.replicas().stream().map(StatusCommand::map).toList());
        return map;
    }

    private static Map<String, Object> map(GroupStatus.Replica replica) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("node", replica.node());
        map.put("state", replica.state());
        map.put("reason", replica.reason());
        map.put("appliedAt", replica.appliedAt());
        map.put("behind", replica.behind());
        return map;
    }

    static Map<String, Object> map(GroupStatus.OperationStatus operation) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("op", operation.op());
        map.put("publications", operation.publications());
        map.put("state", operation.state());
        map.put("actor", operation.actor());
        map.put("started", operation.started());
        map.put("finished", operation.finished());
        map.put("statements", operation.statements());
        map.put("result", operation.result());
        return map;
    }
}
