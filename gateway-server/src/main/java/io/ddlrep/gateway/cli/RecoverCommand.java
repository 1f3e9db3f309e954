package io.ddlrep.gateway.cli;

import io.ddlrep.engine.operation.GroupRecovery;
import io.ddlrep.engine.operation.TriggerEngine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep recover}. */
@Command(
        name = "recover",
        description =
                "Finishes operations that were interrupted, by the decision row alone, and clears replicas that are equal"
                        + " again. Exits with 1 where something is left to do.")
final class RecoverCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    RecoverCommand() {}

    @Override
    public Integer call() {
        try (GroupConnection connection = group.connect();
                TriggerEngine engine = connection.engine()) {
            GroupRecovery.Report report = new GroupRecovery(engine).run();
            if (json) {
                Map<String, Object> map = new LinkedHashMap<>();
                map.put("clean", report.clean());
                map.put("lines", report.lines());
                group.common().out().println(Json.of(map));
            } else {
                report.lines().forEach(group.common().out()::println);
                group.common().out().println(report.clean() ? "nothing is left to do" : "not everything is finished");
            }
            return report.clean() ? 0 : 1;
        }
    }
}
