package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.GroupDoctor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep doctor}. */
@Command(
        name = "doctor",
        description =
                "Looks on every node at what ddlrep needs: rights and settings of its roles, passwords of owners, the guard,"
                        + " triggers, prepared transactions, versions. Exits with 1 where something is wrong.")
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(
            names = "--fix",
            description = "Mend what can be mended without a loss: roles, rights, settings, functions, the guard;"
                    + " copy verifiers of passwords from the origin. A superuser is needed.")
    private boolean fix;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DoctorCommand() {}

    @Override
    public Integer call() {
        try (GroupConnection connection = group.connect()) {
            GroupDoctor doctor = new GroupDoctor(connection::open, new ControlInstaller());
            GroupDoctor.Report report = fix ? doctor.fix(connection.group()) : doctor.examine(connection.group());
            if (json) {
                group.common().out().println(Json.of(map(report)));
            } else {
                print(report);
            }
            return report.isWell() ? 0 : 1;
        }
    }

    private void print(GroupDoctor.Report report) {
        report.mended().forEach(line -> group.common().out().println("mended: " + line));
        for (GroupDoctor.Finding finding : report.findings()) {
            group.common()
                    .out()
                    .println((finding.isAdvice() ? "advice: " : "wrong: ") + finding.node() + ": " + finding.what());
            group.common().out().println("    " + finding.remedy());
        }
        long wrong = report.findings().stream().filter(f -> !f.isAdvice()).count();
        group.common()
                .out()
                .println(
                        wrong == 0
                                ? "nothing is wrong"
                                : wrong == 1 ? "1 thing is wrong" : wrong + " things are wrong");
    }

    private static Map<String, Object> map(GroupDoctor.Report report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("well", report.isWell());
        map.put("mended", report.mended());
        List<Map<String, Object>> findings =
                report.findings().stream().map(DoctorCommand::map).toList();
        map.put("findings", findings);
        return map;
    }

    private static Map<String, Object> map(GroupDoctor.Finding finding) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("node", finding.node());
        map.put("what", finding.what());
        map.put("remedy", finding.remedy());
        map.put("fixable", finding.isFixable());
        map.put("advice", finding.isAdvice());
        return map;
    }
}
