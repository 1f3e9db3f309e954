package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.GroupStatus;
import io.ddlrep.engine.control.GroupStatusReader;
import io.ddlrep.engine.control.OperationProgress;
import io.ddlrep.engine.control.OperationProgressReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep operations}. */
@Command(
        name = "operations",
        description =
                "Shows the last operations, newest first; of those that run, what each node does and whom it waits for.")
final class OperationsCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--last",
            defaultValue = "20",
            paramLabel = "N",
            description = "How many, besides those that are not finished. Default: 20.")
    private int last = 20;

    OperationsCommand() {}

    @Override
    public Integer call() {
        try (GroupConnection connection = group.connect()) {
            Map<String, List<OperationProgress>> progress =
                    new OperationProgressReader(connection::open).read(connection.origin(), connection.group());
            List<GroupStatus.OperationStatus> operations = GroupStatusReader.operations(connection.origin(), last);
            PrintWriter out = group.common().out();
            if (json) {
                out.println(Json.of(operations.stream()
                        .map(each -> map(each, progress.getOrDefault(each.op(), List.of())))
                        .toList()));
            } else {
                operations.forEach(each -> print(out, each, progress.getOrDefault(each.op(), List.of())));
            }
            return 0;
        }
    }

    private static void print(PrintWriter out, GroupStatus.OperationStatus operation, List<OperationProgress> nodes) {
        out.println(String.join(
                "  ",
                operation.op(),
                operation.state(),
                operation.started(),
                "by " + operation.actor(),
                operation.statements()));
        if (!operation.result().isEmpty() && !operation.result().equals(operation.state())) {
            out.println("  " + operation.result());
        }
        for (OperationProgress node : nodes) {
            List<String> words = new ArrayList<>(List.of("  " + node.node(), "pid " + node.pid(), node.state()));
            if (!node.phase().isEmpty()) {
                words.add(node.command() + ": " + node.phase() + share(node));
            }
            if (!node.blockers().isEmpty()) {
                words.add("waits for " + node.blockers());
            } else if (!node.waits().isEmpty() && node.state().equals("active")) {
                words.add("waits: " + node.waits());
            }
            out.println(String.join("  ", words));
        }
    }

    private static String share(OperationProgress node) {
        return node.total() == 0
                ? ""
                : ", " + node.done() + " of " + node.total() + " " + node.unit() + " ("
                        + 100 * node.done() / node.total() + " %)";
    }

    private static Map<String, Object> map(GroupStatus.OperationStatus operation, List<OperationProgress> nodes) {
        Map<String, Object> map = StatusCommand.map(operation);
        map.put("nodes", nodes.stream().map(OperationsCommand::map).toList());
        return map;
    }

    private static Map<String, Object> map(OperationProgress node) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("node", node.node());
        map.put("pid", node.pid());
        map.put("state", node.state());
        map.put("waits", node.waits());
        map.put("blockers", node.blockers());
        map.put("command", node.command());
        map.put("phase", node.phase());
        map.put("unit", node.unit());
        map.put("done", node.done());
        map.put("total", node.total());
        return map;
    }
}
