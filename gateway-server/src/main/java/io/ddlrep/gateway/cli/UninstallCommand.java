package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.GroupInitializer;
import io.ddlrep.engine.control.GroupMember;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep uninstall}. */
@Command(
        name = "uninstall",
        description =
                "Removes ddlrep from every node of the group. Tables and their rows stay as they are on each node.")
final class UninstallCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    UninstallCommand() {}

    @Override
    public Integer call() {
        try (GroupConnection connection = group.connect()) {
            List<GroupMember> members = connection.members();
            String names = members.stream().map(GroupMember::name).collect(Collectors.joining(", "));
            if (!yes && !agreed("Remove ddlrep from " + names + "?")) {
                group.common().tell("nothing was done; --yes removes it without asking");
                return 1;
            }
            new GroupInitializer(new ControlInstaller(), connection::substrate, connection::copy).uninstall(members);
            group.common().out().println("ddlrep is removed from " + names);
            return 0;
        }
    }

    private boolean agreed(String question) {
        group.common().err().print(question + " [y/N] ");
        group.common().err().flush();
        try {
            String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
