package io.ddlrep.gateway.cli;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.operation.TriggerEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ddlrep script}. */
@Command(
        name = "script",
        description =
                "Runs a file of SQL as one transaction on the origin, with its DDL on every node: all of it, or nothing.")
final class ScriptCommand implements Callable<Integer> {
    @Mixin
    private GroupOptions group = new GroupOptions();

    @Parameters(paramLabel = "FILE|-", description = "The file, or - for standard input.")
    private String file = "-";

    ScriptCommand() {}

    @Override
    public Integer call() {
        String text = read();
        try (GroupConnection connection = group.connect();
                TriggerEngine engine = connection.engine();
                NodeSession client = connection.openClient();
                ClientSession session = engine.open(
                        client,
                        connection.companions(),
                        notice -> group.common().err().println(notice.text()))) {
            int statements = new ScriptRunner(client, session).run(file.equals("-") ? "stdin" : file, text);
            group.common().out().println(statements + " statements");
            return 0;
        }
    }

    private String read() {
        try {
            return file.equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
